"""The nursery, the mail sink and the status report, with real processes."""

import asyncio
import os
import smtplib
import sys
import time
from email.message import EmailMessage
from pathlib import Path

import pytest

from solaris_local import services
from solaris_local.children import Child, Nursery
from solaris_local.embedded import process
from solaris_local.home import Home
from solaris_local.report import healthy, survey
from solaris_local.runtime import marked
from solaris_local.smtp_sink import Keeper


@pytest.fixture
def nursery(tmp_path: Path):
    home = {"PATH": os.environ["PATH"], services.MARK: str(tmp_path)}
    made = Nursery(home, tmp_path / "nursery.log")
    yield made
    made.close()


def test_forked_programs_run_as_if_started_alone(nursery: Nursery, tmp_path: Path) -> None:
    log = tmp_path / "out.log"
    pid = nursery.start("platform", "platform", ["--terse"], {"ONLY": "this"}, log)
    assert nursery.wait(pid) == 0
    assert "Linux" in log.read_text() or "macOS" in log.read_text()
    failing = nursery.start("broken", "no.such.module", [], {}, log)
    assert nursery.wait(failing) == 1
    assert "No module named" in log.read_text()


def test_a_child_that_ends_is_seen_and_started_again(nursery: Nursery, tmp_path: Path) -> None:
    child = Child("sink", "solaris_local.smtp_sink", _sink(tmp_path), dict(os.environ), tmp_path / "sink.log")
    child.start(nursery)
    first = child.pid
    assert not child.ended()
    os.kill(first, 9)
    assert process.wait_gone(first, 5)
    assert child.ended()
    child.start(nursery)
    assert child.pid != first
    child.stop()
    assert not process.alive(child.pid or first)


def test_children_end_when_the_runtime_dies(nursery: Nursery, tmp_path: Path) -> None:
    pid = nursery.start("sink", "solaris_local.smtp_sink", _sink(tmp_path), {}, tmp_path / "sink.log")
    assert pid in set(marked(Home(tmp_path))), "known by the mark in its environment, whoever started it"
    nursery.close()
    assert process.wait_gone(pid, 5)


def _sink(folder: Path) -> list[str]:
    return ["--port", str(process.free_port()), "--folder", str(folder / "letters")]


def test_the_mail_sink_keeps_what_it_accepts(nursery: Nursery, tmp_path: Path) -> None:
    arguments = _sink(tmp_path)
    pid = nursery.start("sink", "solaris_local.smtp_sink", arguments, {}, tmp_path / "sink.log")
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = "liga@solaris7.example", "loba@casa.example", "Turno 3"
    letter.set_content("Sus órdenes, por favor.")
    with _connected(int(arguments[1])) as smtp:
        smtp.send_message(letter)
    [file] = (tmp_path / "letters").glob("*.eml")
    assert b"X-Envelope-To: loba@casa.example" in file.read_bytes()
    assert (
        "órdenes" in file.read_text(encoding="utf-8", errors="replace")
        or b"=C3=B3rdenes" in file.read_bytes()
    )
    os.kill(pid, 15)
    assert nursery.wait(pid) == 0


def _connected(port: int) -> smtplib.SMTP:
    until = time.monotonic() + 10
    while True:
        try:
            return smtplib.SMTP("127.0.0.1", port, timeout=5)
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


async def test_accepted_means_on_disk(tmp_path: Path) -> None:
    class Envelope:
        rcpt_tos = ("a@b.example",)
        original_content = b"Subject: x\r\n\r\ny"

    keeper = Keeper(tmp_path)
    answers = await asyncio.gather(*(keeper.handle_DATA(None, None, Envelope) for _ in range(20)))
    assert set(answers) == {"250 OK"}
    assert len(os.listdir(tmp_path)) == 20


def test_status_of_nothing_is_not_healthy(tmp_path: Path) -> None:
    assert not healthy(survey(Home(tmp_path)))


def test_status_tells_a_reused_pid_from_ours(tmp_path: Path) -> None:
    home = Home(tmp_path)
    started = process.started_at(os.getpid())
    home.write_state({"processes": {"runtime": {"pid": os.getpid(), "started_at": started}}})
    assert healthy(survey(home))
    home.write_state({"processes": {"runtime": {"pid": os.getpid(), "started_at": started - 5}}})
    assert not healthy(survey(home))
    assert sys.executable
