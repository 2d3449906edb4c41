"""The index of a scope: what can be found, kept in one SQLite file that may be deleted any time."""
