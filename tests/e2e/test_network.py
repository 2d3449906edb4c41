"""The network of the end-to-end suite reaches nothing but itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import network
import pytest

PROGRAM = """
import socket, network
assert network.is_cut_off()
network.bring_loopback_up()
with socket.create_server(("127.0.0.1", 0)) as server:
    socket.create_connection(server.getsockname(), timeout=5).close()
try:
    socket.create_connection(("192.0.2.1", 80), timeout=5)
except OSError as error:
    print(error.strerror)
"""


@pytest.mark.skipif(not network.can_be_cut_off(), reason="this user may have no network apart")
def test_only_loopback_is_there() -> None:
    done = subprocess.run(
        [*network.ENTER, sys.executable, "-c", PROGRAM],
        env={"PYTHONPATH": str(Path(network.__file__).parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "Network is unreachable\n", done.stderr
    assert not network.is_cut_off()
