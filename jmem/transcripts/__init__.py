"""What the agents wrote down of their sessions, read as turns and as bounded evidence.

``reader`` finds files and the reader for each, ``entries`` is the common vocabulary, and a module
for each agent understands its formats. ``lines`` and ``jsonl`` read files, ``beginning`` and
``profile`` look at them; ``speech``, ``tools``, ``blocks`` and ``moments`` have what formats share.
"""
