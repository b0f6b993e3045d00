"""Logs: JSON lines with correlation id, never a secret."""

import json
import logging

import pytest
import structlog

from solaris_shared.ops.logging import configure_logging, scrub

CANARY = "s7p_eyJhbGciOiJFZDI1NTE5In0.eyJzdWIiOiJhIn0.c2ln"


@pytest.fixture
def configured():
    root = logging.getLogger()
    before = (root.handlers[:], root.level, structlog.get_config())
    yield configure_logging
    root.handlers[:], _ = before[0], root.setLevel(before[1])
    structlog.configure(**before[2])


def test_secrets_are_dropped_by_key_and_by_form():
    event = {
        "password": "x", "nested": [{"Authorization": "y"}], "note": f"token {CANARY}!",
        "url": "postgresql://user:hunter2@host/db", "fine": 7,
    }  # fmt: skip
    text = json.dumps(scrub(event))
    for secret in ('"x"', '"y"', "eyJ", "hunter2"):
        assert secret not in text
    assert scrub(event)["fine"] == 7


def test_a_line_is_json_with_the_bound_context_and_a_traceback_without_locals(configured, capsys):
    configured("office", "api")
    structlog.contextvars.bind_contextvars(correlation_id="c-1")
    log = structlog.get_logger("x")
    try:
        hidden = CANARY
        raise RuntimeError(f"bad {hidden}")
    except RuntimeError:
        log.exception("broken", password="hunter2")
    logging.getLogger("uvicorn.error").warning("plain %s", CANARY)
    structlog.contextvars.clear_contextvars()
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (first["event"], first["correlation_id"], first["service"]) == ("broken", "c-1", "office")
    assert "RuntimeError" in first["exception"]
    assert second["level"] == "warning"
    assert "eyJ" not in json.dumps([first, second]) and "hunter2" not in json.dumps(first)
