"""A network with nothing but loopback, where the system lets a user have one."""

from __future__ import annotations

import fcntl
import shutil
import socket
import struct
import subprocess

_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1  # SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP
ENTER = ("unshare", "--map-root-user", "--net", "--")
"""Put before a command line: it runs in a network of its own, in which loopback is still down."""


def can_be_cut_off() -> bool:
    """Whether this user may have a network of their own."""
    if shutil.which(ENTER[0]) is None:
        return False
    return subprocess.run([*ENTER, "true"], capture_output=True, check=False).returncode == 0


def is_cut_off() -> bool:
    """Whether loopback is the only interface there is."""
    names = {name for _, name in socket.if_nameindex()}
    return names == {"lo"}


def bring_loopback_up() -> None:
    """Let programs in this network talk to each other. Raises OSError where that is not allowed."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sH14x", b"lo", 0)
        answer = fcntl.ioctl(any_socket, _GET_FLAGS, request)
        [flags] = struct.unpack_from("H", answer, 16)
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH14x", b"lo", flags | _UP))
