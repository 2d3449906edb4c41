"""The command line: one file for each family of commands, found through a lazy table."""
