"""The tutorial "Consume the stream in ten minutes", done step by step against a league of its own."""

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
from pathlib import Path

import pytest

from solaris_local.home import Home

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs" / "tutorials" / "consume-the-stream.md"
SOLARIS = str(Path(sys.executable).with_name("solaris"))
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
ENDLESS = re.compile(r"^(.*?)  # Ctrl-C ends it$", re.MULTILINE)
LOOKING_SECONDS, CONSUMING_SECONDS = 6, 20
"""How long somebody waits before he presses Ctrl-C; the partner has everything to fetch before."""
START_SECONDS = 240


@pytest.fixture
def league() -> Iterator[Home]:
    """A league after its first round."""
    folder = Path(tempfile.mkdtemp(prefix="solaris-stream-"))
    home = Home(folder / "home")
    log = folder / "log"
    with log.open("wb") as out:
        environment = os.environ | {"SOLARIS_HOME": str(home.root)}
        child = subprocess.Popen([SOLARIS, "demo"], stdout=out, stderr=out, cwd=ROOT, env=environment)
    try:
        until = time.monotonic() + START_SECONDS
        while "Ctrl-C stops everything" not in log.read_text():
            assert child.poll() is None and time.monotonic() < until, log.read_text()[-3000:]
            time.sleep(0.2)
        yield home
    finally:
        child.send_signal(signal.SIGINT)
        child.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


def run(block: str, home: Home, folder: Path) -> str:
    """A block as a person would type it, stopping endless commands after a while; its output."""
    for index, service in enumerate(("league", "combat", "economy", "mail")):
        block = block.replace(f"http://127.0.0.1:{8701 + index}", home.read_state()["addresses"][service])
    seconds = CONSUMING_SECONDS if "partner_consumer" in block else LOOKING_SECONDS
    block = ENDLESS.sub(rf"timeout -s INT {seconds} \1 || true", block)
    block = block.replace(".venv/bin/", f"{Path(sys.executable).parent}/").replace(
        "examples/", f"{ROOT}/examples/"
    )
    environment = os.environ | {"SOLARIS_HOME": str(home.root)}
    command = ["bash", "-euo", "pipefail", "-c", block]
    done = subprocess.run(
        command, cwd=folder, env=environment, check=False, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_tutorial_as_it_stands(league: Home, tmp_path: Path) -> None:
    look, lines, follow, keep, partner, consume = BLOCK.findall(TUTORIAL.read_text())
    assert '"number": 1' in run(look, league, tmp_path)
    end = json.loads(run(lines, league, tmp_path))
    assert end["type"] == "end" and end["more"] is False
    streamed = run(follow, league, tmp_path)
    assert streamed.startswith("retry: 3000\n\nid: 1\n") and f"\nid: {end['after']}\n" in streamed
    assert int(run(keep, league, tmp_path).split()[0]) == end["after"]
    assert "partner-ana" in run(partner, league, tmp_path)
    assert "the same events, byte for byte" in run(consume, league, tmp_path)
    kept = [json.loads(line)["number"] for line in (tmp_path / "partner.jsonl").read_text().splitlines()]
    assert kept == list(range(1, end["after"] + 1))
