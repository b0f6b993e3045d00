"""Child processes of the runtime: own session, stopped by signals in order, a zombie is not alive."""

import os
import pwd
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

POLL_SECONDS = 0.02


class StartFailed(RuntimeError):
    """A server did not become ready; the message carries the end of its log."""


@dataclass(frozen=True, slots=True)
class Account:
    """The unprivileged account that servers run under when the runtime itself runs as root."""

    name: str
    uid: int
    gid: int


def unprivileged() -> Account | None:
    """None for a plain user; as root the account `postgres` or, else `nobody` (initdb refuses uid 0)."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = known.get("postgres") or known["nobody"]
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def reachable(path: Path) -> bool:
    """True if an unprivileged account may walk down to `path` (every folder above is open to others)."""
    return all(parent.stat().st_mode & 0o001 for parent in path.resolve().parents)


def own(path: Path, account: Account | None) -> Path:
    """Create the folder `path`, readable by its owner alone, and hand it to `account`."""
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o700)
    if account:
        os.chown(path, account.uid, account.gid)
    return path


def free_port() -> int:
    """A TCP port of the loopback address that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_free(port: int) -> bool:
    """True if a server could listen on this loopback port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def listens(host: str, port: int) -> bool:
    """True if somebody takes connections there."""
    with socket.socket() as probe:
        probe.settimeout(2)
        return probe.connect_ex((host, port)) == 0


def spawn(
    command: Sequence[str | Path],
    log: Path,
    account: Account | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start a child in a session of its own (Ctrl-C reaches only the runtime), output appended to `log`."""
    identity = {"user": account.uid, "group": account.gid, "extra_groups": []} if account else {}
    with log.open("ab") as output:
        return subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=None if env is None else dict(env),
            cwd=cwd,
            **identity,  # type: ignore[call-overload]
        )


def alive(pid: int) -> bool:
    """True if the process runs; a zombie does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def started_at(pid: int) -> float | None:
    """Start time in epoch seconds: with the pid it names one process for ever; None if it is gone."""
    try:
        return psutil.Process(pid).create_time()
    except psutil.NoSuchProcess:
        return None


def wait_gone(pid: int, seconds: float, child: subprocess.Popen[bytes] | None = None) -> bool:
    """Wait until the process has ended, reaping it if it is our child."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if (child.poll() is not None) if child else not alive(pid):
            return True
        time.sleep(POLL_SECONDS)
    return False


def send(pid: int, number: int) -> None:
    """Signal a process that may have ended meanwhile."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def stop(
    pid: int, signals: Sequence[tuple[signal.Signals, float]], child: subprocess.Popen[bytes] | None = None
) -> bool:
    """Send each signal in turn, waiting the seconds beside it; True once the process is gone."""
    for number, seconds in signals:
        send(pid, number)
        if wait_gone(pid, seconds, child):
            return True
    return False


def leash(pid: int, number: signal.Signals) -> subprocess.Popen[bytes]:
    """A tiny watcher that signals `pid` when this process ends in any way: tests leave no orphan."""
    return subprocess.Popen(
        ["/bin/sh", "-c", f"read _; kill -{int(number)} {pid} 2>/dev/null"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def release(watcher: subprocess.Popen[bytes] | None) -> None:
    """End a watcher without letting it signal."""
    if watcher is not None:
        watcher.kill()
        watcher.wait()
        if watcher.stdin:
            watcher.stdin.close()


def tail(log: Path, size: int = 2000) -> str:
    """The end of a log file, for an error message."""
    if not log.exists():
        return ""
    return log.read_bytes()[-size:].decode("utf-8", "replace")
