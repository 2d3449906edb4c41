"""The address of a remote: which are taken, and what a project is called at every remote. Pure."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from jmem.errors import Refused, UsageError
from jmem.redact import redact

_HOST = r"(?:[\w.-]+@)?(?P<host>[A-Za-z0-9][\w.-]*|\[[0-9a-fA-F:]+\])"
_SCP = re.compile(rf"{_HOST}:(?P<path>(?!//)\S.*)", re.ASCII)
_REFUSED = {
    "http": "it would send memory over the network unencrypted",
    "git": "it would send memory over the network unencrypted",
    "ftp": "it would send memory over the network unencrypted",
    "ftps": "git does not push over it",
}
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9_-]|[./](?=[a-z0-9_-]))*", re.ASCII)
_MAX_NAME = 120
BRANCHES = "jmem/"


def checked(url: str) -> str:
    """The address, if jmem speaks with such a one. Raises UsageError or Refused."""
    url = url.strip()
    if not url or url.startswith("-") or not url.isprintable():
        raise UsageError(f"{url!r} is no address of a git repository")
    if "::" in url:
        raise Refused(
            f"{url!r} names a program to speak with: that is refused",
            hint="use ssh, https, or a directory",
        )
    scheme = url.partition("://")[0].lower() if "://" in url else ""
    if scheme in _REFUSED:
        raise Refused(f"{scheme}:// is refused: {_REFUSED[scheme]}", hint="use ssh or https")
    if scheme and scheme not in ("ssh", "https", "file"):
        raise UsageError(f"jmem does not know {scheme}://", hint="use ssh, https, or a directory")
    if scheme and scheme != "file":
        parts = urlsplit(url)
        if not parts.hostname or parts.hostname.startswith("-"):
            raise UsageError(f"{url!r} names no host")
        if parts.password or (scheme == "https" and redact(url) != url):
            raise Refused(
                "the address holds a password, and would be kept with it",
                hint="leave it out: git asks its credential helper, or use ssh",
            )
    return url


def on_network(url: str) -> bool:
    """Whether the address leads off this machine; a directory does not."""
    if "://" in url:
        return not url.lower().startswith("file://")
    return _is_scp(url)


def is_directory(url: str) -> bool:
    """Whether the address is a path on this machine, as people type one."""
    return "://" not in url and not _is_scp(url)


def _is_scp(url: str) -> bool:
    return "/" not in url.partition(":")[0] and _SCP.fullmatch(url) is not None


def branch(name: str) -> str:
    """The branch of a scope with this name at every remote. Raises UsageError."""
    cleaned = name.strip().lower().strip("/")
    if not _NAME.fullmatch(cleaned) or len(cleaned) > _MAX_NAME or cleaned.endswith(".lock"):
        raise UsageError(
            f"{name!r} is no name for a project",
            hint="letters, digits, '-', '_', '.' and '/' in small letters",
        )
    return f"{BRANCHES}{cleaned}"


def name_of(remote: str) -> str:
    """What a project is called whose own git remote this is: ``host/path``, without protocol, user
    and ``.git``, so that every clone comes to the same. Empty for a remote that is a directory."""
    if not on_network(remote):
        return ""
    if "://" in remote:
        parts = urlsplit(remote)
        host, path = parts.hostname or "", parts.path
    else:
        found = _SCP.fullmatch(remote)
        assert found is not None, "a remote on the network is a URL or host:path"
        host, path = found["host"], found["path"]
    path = path.strip("/").removesuffix(".git")
    name = re.sub(r"[^a-z0-9._/-]+", "-", f"{host}/{path}".lower())
    name = re.sub(r"(?<![a-z0-9_-])[./]+|[./]+(?![a-z0-9_-])", "", name).strip("-./")
    return name[:_MAX_NAME].rstrip("-./") if _NAME.fullmatch(name) else ""
