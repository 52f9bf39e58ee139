"""What every launcher does before it starts its emulator: settings, a port, word of it."""

import json
import os
import socket
import stat
import threading
import time
from importlib import metadata

OWNER_CHECK_SECONDS = 1.0


def read_settings(path):
    """The settings; a file that others can read is refused, as it may hold a secret."""
    mode = stat.S_IMODE(os.stat(path).st_mode)
    if mode & 0o077:
        raise SystemExit(f"settings file: mode {mode:o} lets others read it; make it 600")
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def check_version(package, needed, environment):
    """A launcher rests on the source of one version."""
    found = metadata.version(package)
    if found != needed:
        raise SystemExit(
            f"{package}: version {found} found, {needed} needed; "
            f"delete {environment} and start again"
        )


def bind_listener():
    """A socket on a free port of 127.0.0.1, held from now on so that no other process gets it.

    SO_REUSEADDR stays off: with it two sockets that do not listen yet could share the port.
    TCP_NODELAY is inherited by accepted connections; without it a call takes 45 ms more.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.bind(("127.0.0.1", 0))
    return listener


def announce(path, port):
    """Atomic, so that a reader sees the whole file or none."""
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump({"port": port, "pid": os.getpid()}, file)
    os.replace(temporary, path)


def end_with_owner(owner_pid, end):
    """A test run that is killed must not leave its emulator behind."""

    def watch():
        while os.path.exists(f"/proc/{owner_pid}"):
            time.sleep(OWNER_CHECK_SECONDS)
        end()

    threading.Thread(target=watch, daemon=True).start()
