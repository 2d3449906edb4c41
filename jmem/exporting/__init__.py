"""Taking memory out of jmem: whole, to be taken over by another jmem, or as documents to be read.

:mod:`.bundle` is the whole as JSON lines, :mod:`.collecting` reads it from a scope, and
:mod:`.takeover` puts it into one. :mod:`.documents` renders what is in force for people, for agents
and for Obsidian. Everything that goes out is masked.
"""
