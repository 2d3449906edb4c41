"""The hash functions that hooks need, without OpenSSL: loading it would cost a tenth of their time.

They are what :mod:`hashlib` falls back to where it has no OpenSSL, and the same to the last bit.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import blake2s, sha256
else:
    try:
        from _blake2 import blake2s

        try:
            from _sha2 import sha256  # Python 3.12 and later
        except ImportError:
            from _sha256 import sha256
    except ImportError:  # a Python that was built without its own
        from hashlib import blake2s, sha256

__all__ = ["blake2s", "sha256"]
