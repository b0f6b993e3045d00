"""`solaris bench append` prints what it promises; its figures are judged by a person on a quiet machine,
the test only asks for what no load can turn round.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.bench
def test_the_append_bench_prints_its_ratios():
    command = [str(Path(sys.executable).with_name("solaris")), "bench", "append", "--json", "--rounds", "1"]
    answer = subprocess.run(
        [*command, "--seconds", "0.5"], capture_output=True, text=True, check=True, timeout=300
    )
    writers = json.loads(answer.stdout)["writers"]
    assert set(writers) == {"1", "8", "32"}
    kinds = {"ours", "ours_command", "bare", "eventsourcing", "ratio_bare", "ratio_eventsourcing"}
    assert all(kinds <= row.keys() for row in writers.values())
    assert writers["8"]["ratio_eventsourcing"] > 1
