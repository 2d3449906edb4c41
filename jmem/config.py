"""Settings: defaults, ``config.yaml``, ``JMEM_*`` variables, and the little that a repository
may say in its own ``.jmem.yaml``.

A file that a stranger can check in must never choose an endpoint, a command, a key or a path: a
repository may only turn memory off for itself.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jmem import discretion, layout, paths
from jmem.errors import ConfigError, Refused
from jmem.settings import BY_NAME
from jmem.storage import configfile, files

LATER_SECTIONS = frozenset({"retention"})
"""Sections of ``config.yaml`` that are read by parts of jmem which are not built yet."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force. ``sources`` says for each where it came from; ``warnings`` what was
    not taken, one clear line each. ``wrong``: the texts that cannot be read, where they are let
    pass; the default stands in their place."""

    values: Mapping[str, Any] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    wrong: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        return self.values.get(name, BY_NAME[name].default)

    def everything(self) -> dict[str, Any]:
        """Every setting by name, defaults included."""
        return {name: self[name] for name in BY_NAME}

    @property
    def enabled(self) -> bool:
        """The kill switch: false means that nothing is written and nothing is injected."""
        return bool(self["enabled"])

    @property
    def generate(self) -> bool:
        """Whether memory may be written at all."""
        return self.enabled and bool(self["generate"]) and not self["ephemeral"]


def load(directory: str = "", *, forgiving: bool = False) -> Settings:
    """The settings for a project directory (empty: only the user's own); what they say is masked
    is masked from here on. ``forgiving``: to look at them, also where one is wrong.

    Raises ConfigError for a value that cannot be read, naming the file or the variable.
    """
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    sources: dict[str, str] = {}
    warnings: list[str] = []

    def take(name: str, text: str, where: str) -> None:
        try:
            values[name] = _value(name, text, where)
            wrong.pop(name, None)
        except ConfigError as error:
            if not forgiving:
                raise
            wrong[name] = text
            warnings.append(error.message)
        sources[name] = where

    file = paths.root() / layout.CONFIG_FILE
    for name, text in _flatten(_parsed(file, _own_text(file))).items():
        if name not in BY_NAME:
            if name.partition(".")[0] not in LATER_SECTIONS:
                warnings.append(f"{file}: unknown setting {name!r}{_did_you_mean(name)}")
            continue
        take(name, text, str(file))
    for variable in filter(_BY_VARIABLE.__contains__, os.environ):
        take(_BY_VARIABLE[variable], os.environ[variable], variable)
    if directory:
        _apply_repository(Path(directory) / layout.REPOSITORY_FILE, values, sources, warnings)
    found = Settings(values, sources, tuple(warnings), wrong)
    if where := excluded(directory, found):
        values["generate"] = False
        sources["generate"] = f"{sources['sessions.exclude']} (sessions.exclude: {where})"
    discretion.choose(values)
    return found


def choose_what_is_masked() -> None:
    """What the user's settings say is masked is masked from here on, for who asks for no other
    setting. Costs next to nothing where they say nothing of it.

    Raises ConfigError where that cannot be known.
    """
    text = _own_text(paths.root() / layout.CONFIG_FILE)
    if "redact" in text or any(name.startswith("JMEM_REDACT_") for name in os.environ):
        load()


def excluded(directory: str, settings: Settings) -> str:
    """The directory of ``sessions.exclude`` in which a directory lies; empty for none."""
    if not directory:
        return ""
    given = {directory, os.path.realpath(directory)}
    for name in settings["sessions.exclude"]:
        full = str(os.path.expanduser(name)).rstrip("/")  # noqa: PTH111 - text, not a file
        tops = {full, os.path.realpath(full)}
        if any(one == top or one.startswith(top + "/") for one in given for top in tops):
            return full
    return ""


def refuse_when_off(settings: Settings, directory: str = "") -> None:
    """Raises Refused where nothing may be written, or nothing that comes from a directory."""
    if settings["ephemeral"]:
        raise Refused(
            f"this session is ephemeral ({settings.sources['ephemeral']}): nothing was written",
            hint="note it in another session",
        )
    if where := excluded(directory, settings):
        raise Refused(
            f"nothing is remembered in {where}: nothing was written",
            hint="it stands in sessions.exclude of the settings: jmem config",
        )
    if settings.generate:
        return
    name = "generate" if settings.enabled else "enabled"
    where = settings.sources.get(name, "the settings")
    hint = f"jmem config {name} true"
    if where != str(paths.root() / layout.CONFIG_FILE):
        hint = f"change it there: {where}"  # a variable or a repository beats the settings
    raise Refused(
        f"memory is switched off ({name}: false in {where}): nothing was written", hint=hint
    )


def variable_of(name: str) -> str:
    """The environment variable of a setting: ``JMEM_SESSIONS_AGENTS`` for ``sessions.agents``."""
    return "JMEM_" + name.replace(".", "_").upper()


_BY_VARIABLE = {variable_of(name): name for name in BY_NAME}


def store(name: str, text: str) -> Path:
    """Set one setting in ``config.yaml``; other lines of the file stay as they are.

    Raises ConfigError for an unknown name, for a value that cannot be read, and for a file that
    is not YAML, which stays as it is.
    """
    if name not in BY_NAME:
        raise ConfigError(
            f"unknown setting {name!r}{_did_you_mean(name)}", hint="jmem config lists all"
        )
    _value(name, text, "the command line")
    from jmem.formats import header

    file = paths.root() / layout.CONFIG_FILE
    files.refuse_links(file, ())
    old = _own_text(file)
    known = _parsed(file, old)
    section, _, key = name.rpartition(".")
    if section:
        data = known.get(section)
        inner: dict[str, str] = {
            str(k): v if isinstance(v, str) else ", ".join(map(str, v))
            for k, v in (data.items() if isinstance(data, dict) else ())
        }
        change: dict[str, header.Value | None] = {section: {**inner, key: text}}
    else:
        change = {name: text}
    wrapped = header.rewrite(f"---\n{old.rstrip()}\n---\n", change, None)
    new = wrapped.removeprefix("---\n").removesuffix("---\n").lstrip("\n")
    files.make_directory(file.parent)
    files.atomic_write(file, new.encode())
    return file


def _apply_repository(
    file: Path, values: dict[str, Any], sources: dict[str, str], warnings: list[str]
) -> None:
    """A repository may turn memory off; anything else in its file is refused and said."""
    try:
        asked = _flatten(_parsed(file, files.read_text(file) or ""))
    except ConfigError as error:
        warnings.append(f"{error.message}: ignored")
        return
    for name, text in asked.items():
        setting = BY_NAME.get(name)
        if setting is None or not setting.repository:
            warnings.append(f"{file}: a repository may not set {name!r}: ignored")
            continue
        try:
            wanted = setting.read(text)
        except ValueError as error:
            warnings.append(f"{file}: {name}: {error}: ignored")
            continue
        if wanted is False:
            values[name], sources[name] = False, str(file)


def _value(name: str, text: str, where: str) -> Any:
    try:
        return BY_NAME[name].read(text)
    except ValueError as error:
        raise ConfigError(
            f"{where}: {name}: {text!r}: {error}", hint="jmem config lists all"
        ) from error


def _own_text(file: Path) -> str:
    """What the user's own settings file says; it may be a link to where they keep such files.

    Raises Refused where that leads nowhere: to go on without it could switch memory on.
    """
    return (configfile.read(file) or b"").decode("utf-8", "replace")


def _parsed(file: Path, text: str) -> dict[str, Any]:
    """The text's mapping with every scalar as text. Raises ConfigError for anything else."""
    if not text.strip():
        return {}
    import yaml

    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        data = yaml.load(text, Loader=loader)  # noqa: S506 - it builds nothing but text
    except (yaml.YAMLError, RecursionError) as error:
        raise ConfigError(f"{file} is not YAML: {' '.join(str(error).split())}") from error
    if data is None or data == "":
        return {}
    if not isinstance(data, dict):
        raise ConfigError(f"{file} must hold 'name: value' lines")
    return data


def _flatten(data: Mapping[Any, Any]) -> dict[str, str]:
    """Nested settings as dotted names; lists as comma-separated text."""
    flat: dict[str, str] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            flat.update({f"{key}.{inner}": text for inner, text in _flatten(value).items()})
        elif isinstance(value, list):
            flat[str(key)] = ", ".join(str(item) for item in value)
        else:
            flat[str(key)] = str(value)
    return flat


def _did_you_mean(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, BY_NAME, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
