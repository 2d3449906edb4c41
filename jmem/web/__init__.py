"""``jmem ui``: the page on which a person looks through memory and puts it right.

A server for one person on one machine. It renders text; all that it knows and does is in the
application row. Everything that it sends comes from this package, and it sends it to nobody else.
"""
