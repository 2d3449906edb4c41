"""Connecting jmem to the agents of this machine, and taking it out again.

``clients`` knows where each agent keeps what, ``targets`` how an entry gets into a file and out of
it, ``installing`` does it and keeps a record. Nothing but the user's yes sets it in motion.
"""
