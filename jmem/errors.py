"""Every error that jmem raises on purpose.

    JmemError                  1  something failed
    ├── UsageError             2  the call itself is wrong
    ├── NotFound               3  what was named does not exist
    ├── Busy                   4  another process holds the lock
    ├── CorruptStore           5  a file of the store cannot be understood
    ├── ConfigError            6  a setting is wrong
    ├── Refused                7  a guard said no
    └── ModelError             8  the model is unavailable or its reply unusable

The number is the exit code of the command line. ``hint`` names the next step.
"""

from __future__ import annotations


class JmemError(Exception):
    """Something failed, in a way that was foreseen; never shown with a traceback."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(JmemError):
    """The call itself is wrong: an empty note, an unknown option value, no project here."""

    exit_code = 2


class NotFound(JmemError):
    """What was named does not exist."""

    exit_code = 3


class Busy(JmemError):
    """Another process holds the lock that this needs."""

    exit_code = 4


class CorruptStore(JmemError):
    """A file of the store cannot be understood, and going on would lose something."""

    exit_code = 5


class ConfigError(JmemError):
    """A setting is wrong."""

    exit_code = 6


class Refused(JmemError):
    """A guard said no: a path outside the scope, a deletion too large to be meant."""

    exit_code = 7


class ModelError(JmemError):
    """The model is unavailable or its reply cannot be used."""

    exit_code = 8
