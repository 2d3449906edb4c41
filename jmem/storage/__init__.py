"""The effects on disk: files, locks, git. Each kind of effect has one home here."""
