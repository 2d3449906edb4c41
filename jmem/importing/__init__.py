"""Taking over what other memories hold: found, understood, and put into the inbox as notes.

:mod:`.walking` reads files within bounds, :mod:`.sources` understands their formats,
:mod:`.planning` leaves out what is known, was imported before or was forgotten, and :mod:`.taking`
writes the rest into the inbox, where it is treated like every other note.
"""
