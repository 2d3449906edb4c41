"""Why a text is held for what it orders, and from whose words how much is taken. Pure."""

from __future__ import annotations

SAID, CLAIMED, FOREIGN = 0, 1, 2
"""Whose words a text is: a user's, a program's, or those of a tool or a page."""

OVERRIDE = "tells its reader to set instructions aside"
PERSONA = "tells its reader to be somebody else"
SECRECY = "tells its reader to keep something from the user"
EXFILTRATION = "tells its reader to send something out"
REMOTE = "tells its reader to run or obey what the network says"
DELAYED = "waits for a moment to give an order"
STANDING = "gives a standing order to an agent"
AUTHORITY = "claims an authority that a memory has not"
PERMISSION = "tells its reader to do without permission or protection"
SPREADING = "tells its reader to spread it"
HARM = "tells its reader to do harm"

Row = tuple[int, str, str, str]
"""From which level on it counts, the reason, words of which the text needs one, the pattern."""
