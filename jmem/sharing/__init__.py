"""Sharing a scope with other machines, and with colleagues, over a git repository that all reach.

What is shared are the curated files as they are now (memories, waiting notes, decided session
summaries, a person's skills, what must not come back), as a branch for each scope. The history of
a scope, its views, its state, and which directory it belongs to stay on the machine.
"""
