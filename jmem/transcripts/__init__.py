"""What the agents wrote down of their sessions, read as turns and as bounded evidence.

``reader`` finds files and the reader for each, ``entries`` is the common vocabulary,
``claude_code`` and ``codex`` understand one agent's format each.
"""
