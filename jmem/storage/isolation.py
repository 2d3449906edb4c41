"""How git is run on a store: with an identity of its own, and by nobody's configuration but ours.

Hooks, signing, filters, external differences, templates, the user's and the system's configuration,
inherited ``GIT_*`` variables, and whatever stands in the configuration of the repository itself
start no program.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

CONFIG: Mapping[str, str] = {
    "core.hooksPath": os.devnull,
    "core.attributesFile": os.devnull,
    "core.excludesFile": os.devnull,
    "core.autocrlf": "false",
    "core.quotePath": "false",
    "core.fsmonitor": "false",
    "core.fsync": "committed,loose-object",
    "core.fsyncMethod": "batch",
    "core.logAllRefUpdates": "true",
    "core.sharedRepository": "0600",
    "core.symlinks": "false",
    "core.protectHFS": "true",
    "core.protectNTFS": "true",
    "commit.gpgSign": "false",
    "commit.cleanup": "verbatim",
    "diff.ignoreSubmodules": "all",
    "submodule.recurse": "false",
    "log.showSignature": "false",
    "gc.auto": "2000",
    "gc.autoDetach": "false",
    "maintenance.auto": "false",
    "init.defaultBranch": "main",
    "safe.directory": "*",
    "protocol.allow": "never",
}
"""It beats what the repository's own configuration says."""
NETWORK: Mapping[str, str] = {
    **{f"protocol.{name}.allow": "always" for name in ("file", "ssh", "https")},
    "core.sshCommand": "ssh -oBatchMode=yes",
    "core.askPass": "",
    "core.gitProxy": "",
    "fetch.recurseSubmodules": "false",
    "fetch.fsckObjects": "true",
    "transfer.credentialsInUrl": "die",
    "http.followRedirects": "false",
}
"""Beside it, for whoever speaks with a remote: no protocol that starts a program, no question, no
detour. The address is to be given in the call, with ``--upload-pack=git-upload-pack``: what a
repository says of a remote's name may name a program."""


def environment(
    git_dir: Path, work_tree: Path, more: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The variables for a call of git; ``more``: configuration beside ``CONFIG``, or instead."""
    pairs = {}
    config = {**CONFIG, **(more or {})}
    for number, (key, value) in enumerate(config.items()):
        pairs[f"GIT_CONFIG_KEY_{number}"] = key
        pairs[f"GIT_CONFIG_VALUE_{number}"] = value
    return {
        **pairs,
        "GIT_CONFIG_COUNT": str(len(config)),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_DIR": str(git_dir),
        "GIT_WORK_TREE": str(work_tree),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_NAME": "jmem",
        "GIT_AUTHOR_EMAIL": "jmem@localhost",
        "GIT_COMMITTER_NAME": "jmem",
        "GIT_COMMITTER_EMAIL": "jmem@localhost",
    }


@contextmanager
def no_inherited_variables() -> Iterator[None]:
    """GitPython hands its child our environment: what a git hook set in it must not reach it."""
    inherited = {name: value for name, value in os.environ.items() if name.startswith("GIT_")}
    for name in inherited:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(inherited)
