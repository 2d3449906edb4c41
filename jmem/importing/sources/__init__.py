"""What other memories look like: one module a format, each from the text of a file to items. Pure.

A module of a format has ``NAME``, ``recognises(file)`` and ``read(file)``; :mod:`.registry` lists
them. Nothing that stands in a file is believed beyond what it says: whoever reads it decides on
origin and trust.
"""
