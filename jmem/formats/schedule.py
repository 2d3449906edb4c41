"""The text of a schedule: crontab lines, a systemd timer, a launchd agent. Pure."""

from __future__ import annotations

import shlex
from html import escape

BEGIN = "# >>> jmem >>>"
END = "# <<< jmem <<<"
SYSTEMD_UNIT = "jmem-distill"
LAUNCHD_LABEL = "dev.jmem.distill"
MINUTE = 17


def crontab_with(existing: str, script: str, environment: dict[str, str], log: str) -> str:
    """The crontab with jmem's lines between its markers; everything else as it was.

    It looks in every hour: a machine that slept through the night catches up, and the cooldown
    keeps the runs apart.
    """
    variables = "".join(f"{key}={shlex.quote(value)} " for key, value in environment.items())
    command = f"{variables}{shlex.quote(script)} distill --all --scheduled"
    line = f"{MINUTE} * * * * {command} >> {shlex.quote(log)} 2>&1".replace("%", r"\%")
    kept = crontab_without(existing)
    if kept and not kept.endswith("\n"):
        kept += "\n"
    return f"{kept}{BEGIN}\n{line}\n{END}\n"


def crontab_without(existing: str) -> str:
    """The crontab without jmem's lines."""
    kept, inside = [], False
    for line in existing.splitlines(keepends=True):
        bare = line.strip()
        if bare == BEGIN:
            inside = True
        elif bare == END and inside:
            inside = False
        elif not inside:
            kept.append(line)
    return "".join(kept)


def crontab_line(existing: str) -> str:
    """jmem's own line, or an empty string."""
    inside = False
    for line in existing.splitlines():
        if line.strip() == BEGIN:
            inside = True
        elif line.strip() == END:
            inside = False
        elif inside:
            return line.strip()
    return ""


def systemd_units(script: str, environment: dict[str, str]) -> dict[str, str]:
    """File name -> text of the user service and its timer."""
    variables = "".join(f'Environment="{key}={value}"\n' for key, value in environment.items())
    service = (
        "[Unit]\nDescription=Distil the memory of coding agents\n\n"
        "[Service]\nType=oneshot\nNice=10\n"
        f"{variables}ExecStart={shlex.quote(script)} distill --all --scheduled\n"
    )
    timer = (
        "[Unit]\nDescription=Distil the memory of coding agents, when due\n\n"
        f"[Timer]\nOnCalendar=*-*-* *:{MINUTE}:00\nPersistent=true\n\n"
        "[Install]\nWantedBy=timers.target\n"
    )
    return {f"{SYSTEMD_UNIT}.service": service, f"{SYSTEMD_UNIT}.timer": timer}


def launchd_agent(script: str, environment: dict[str, str], log: str) -> str:
    """The property list of a launchd agent."""
    arguments = "".join(
        f"    <string>{escape(word, quote=False)}</string>\n"
        for word in (script, "distill", "--all", "--scheduled")
    )
    variables = "".join(
        f"    <key>{escape(key, quote=False)}</key><string>{escape(value, quote=False)}</string>\n"
        for key, value in environment.items()
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" '
        '"http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n'
        '<plist version="1.0">\n<dict>\n'
        f"  <key>Label</key><string>{LAUNCHD_LABEL}</string>\n"
        f"  <key>ProgramArguments</key>\n  <array>\n{arguments}  </array>\n"
        f"  <key>EnvironmentVariables</key>\n  <dict>\n{variables}  </dict>\n"
        "  <key>StartCalendarInterval</key>\n"
        f"  <dict><key>Minute</key><integer>{MINUTE}</integer></dict>\n"
        f"  <key>StandardOutPath</key><string>{escape(log, quote=False)}</string>\n"
        f"  <key>StandardErrorPath</key><string>{escape(log, quote=False)}</string>\n"
        "</dict>\n</plist>\n"
    )
