"""Suite-wide: kernel fixtures, a time per suite at the end of a run, and skips that may not happen in CI."""

import os
from collections import defaultdict
from pathlib import PurePosixPath

import pytest
from hypothesis import settings

pytest_plugins = ["solaris_shared.testing.fixtures"]

settings.register_profile("untimed", settings(), deadline=None)
settings.load_profile("untimed")
"""No example is judged by the clock; the rest as Hypothesis has it (in CI the same examples every time)."""

DURATIONS: dict[str, float] = defaultdict(float)
COUNTS: dict[str, int] = defaultdict(int)


def suite_of(nodeid: str) -> str:
    """Folder that names the suite of a test: `services/combat`, `tests/chaos`, `shared`."""
    parts = PurePosixPath(nodeid.split("::", maxsplit=1)[0]).parts
    return "/".join(parts[:2]) if parts[0] in ("services", "tests", "deploy") else parts[0]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up set-up, call and tear-down of each test."""
    suite = suite_of(report.nodeid)
    DURATIONS[suite] += report.duration
    COUNTS[suite] += report.when == "call"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the time per suite."""
    terminalreporter.section("time per suite")
    for suite, seconds in sorted(DURATIONS.items()):
        terminalreporter.write_line(f"{suite:24} {COUNTS[suite]:6} tests {seconds:8.1f} s")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):  # type: ignore[no-untyped-def]
    """With CI=true a skip for a missing need is a failure: CI installs what tests need."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true" and "not root" not in str(report.longrepr):
        report.outcome = "failed"
        report.longrepr = f"skipped although CI=true: {report.longrepr}"
    return report
