"""jmem in the hands of real agents: clients from npm, a scripted model on loopback, nothing else.

Opt-in: the first run installs 1.6 GB of clients into ``--cache``. Nothing outside of it is
touched; what the clients do happens in homes of their own, in a network that is only loopback.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import network
from clients import CLIENTS, Client
from home import Home
from inspecting import inspect
from installing import Installed, install_clients, install_jmem
from playing import play
from results import Row, placed, table

_CACHE = Path(os.environ.get("JMEM_E2E_CACHE", "~/.cache/jmem-e2e")).expanduser()


def main() -> int:
    options = _options()
    if options.inside is not None:
        network.bring_loopback_up()
        return _run(options, options.inside)
    install_clients(options.cache)
    with tempfile.TemporaryDirectory(prefix="jmem-e2e-") as path:
        scratch = Path(path).resolve()
        if options.jmem is None:
            options.jmem = install_jmem(scratch)
        if not network.can_be_cut_off():
            return _run(options, scratch)
        given = [*sys.argv[1:], "--jmem", str(options.jmem), "--inside", str(scratch)]
        command = [*network.ENTER, sys.executable, __file__, *given]
        return os.spawnvp(os.P_WAIT, command[0], command)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    names = [client.name for client in CLIENTS]
    parser.add_argument("--cache", type=Path, default=_CACHE, help="where the clients are kept")
    parser.add_argument("--client", action="append", choices=names, default=[], help="only this")
    parser.add_argument("--jmem", type=Path, help="an installed script instead of a fresh wheel")
    parser.add_argument("--keep", type=Path, help="write what was run and said into this folder")
    parser.add_argument("--document", type=Path, help="put the results between its two marks")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def _run(options: argparse.Namespace, scratch: Path) -> int:
    """Play every chosen client, one after the other, and print the table."""
    installed = Installed(options.cache.resolve(), options.jmem.absolute())
    chosen = [each for each in CLIENTS if each.name in (options.client or [each.name])]
    rows = [_row(client, installed, scratch, options.keep) for client in chosen]
    inspected = inspect(Home(scratch / "inspector", installed))
    text = "\n".join([_about(installed), table(rows), table([inspected])])
    print(text)
    if options.document is not None:
        document = options.document.read_text("utf-8")
        options.document.write_text(placed(text, document), "utf-8")
    return 0 if all(row.held for row in (*rows, inspected)) else 1


def _about(installed: Installed) -> str:
    """When and where, in one line."""
    reach = "only loopback" if network.is_cut_off() else "not cut off"
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    day = datetime.now(UTC).date()
    return f"{day}, {system}, node {installed.version('node')}; network: {reach}.\n"


def _row(client: Client, installed: Installed, scratch: Path, keep: Path | None) -> Row:
    home = Home(scratch / client.name, installed)
    row = Row(client.title, installed.version(client.package))
    row.steps += play(client, home)
    if keep is not None:
        _keep(keep / f"{client.name}.txt", row, home.said)
    return row


def _keep(file: Path, row: Row, said: Sequence[str]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    steps = [f"{step.name}: {step.missed or step.told}" for step in row.steps]
    file.write_text("\n".join([*steps, "", *said]), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
