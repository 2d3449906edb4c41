"""The text of every file that jmem writes: pure parsers (lenient) and renderers (canonical)."""
