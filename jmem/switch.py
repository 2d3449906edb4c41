"""The kill switch as it is usually written, for who has nothing compiled and no time for YAML.

What this says is off is off; what it does not see (a file of an unusual form) is found by whoever
loads the settings. So a hook that is called while memory is off need not start anybody to ask.
"""

from __future__ import annotations

import os
import re
from os.path import join

from jmem import places
from jmem.layout import CONFIG_FILE, REPOSITORY_FILE

_OFF = ("false", "no", "off", "0")
_SAYS_OFF = (
    r"(?mi)^['\"]?enabled['\"]?[ \t]*:[ \t]*['\"]?(?:false|no|off|0)['\"]?[ \t]*(?:#.*)?\r?$"
)
_MOST = 65_536


def is_off(directory: str = "") -> bool:
    """Whether memory is switched off for a project's directory (empty: for all).

    A repository may only switch it off, and the variable beats the user's file.
    """
    if directory and _says_off(join(directory, REPOSITORY_FILE)):
        return True
    said = os.environ.get("JMEM_ENABLED", "").strip().lower()
    return said in _OFF if said else _says_off(join(places.root(), CONFIG_FILE))


def _says_off(path: str) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        text = os.read(descriptor, _MOST).decode("utf-8", "replace")
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return re.search(_SAYS_OFF, text) is not None
