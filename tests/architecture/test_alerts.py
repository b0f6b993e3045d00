"""Alerts and dashboard name metrics that exist, and every alert has a runbook that tells what to do."""

import json
import re
from pathlib import Path

import pytest
import yaml
from prometheus_client import CollectorRegistry

from solaris_mail.application.gauges import LETTER_GAUGES
from solaris_shared.http.streams import Streams
from solaris_shared.ops.metrics import HttpMetrics
from solaris_shared.worker_side import WorkerMetrics

ROOT = Path(__file__).resolve().parents[2]
RULES = [
    rule
    for group in yaml.safe_load((ROOT / "deploy/prometheus/alerts.yml").read_text())["groups"]
    for rule in group["rules"]
]
DASHBOARD = json.loads((ROOT / "deploy/grafana/solaris.json").read_text())
RUNBOOKS = ROOT / "docs/how-to/runbooks"
METRIC = re.compile(r"\bsolaris_[a-z_]+")
LABELS = re.compile(r"by \(([a-z, ]+)\)")
FROM_SCRAPING = {"service", "job", "instance", "le"}


def families() -> dict[str, tuple[str, ...]]:
    """Every metric by the names it has in a query, with its labels, from the registries of both processes."""
    api, found = CollectorRegistry(), {}
    HttpMetrics(api)
    Streams(api)
    for registry in (api, WorkerMetrics(LETTER_GAUGES).registry):
        for collector in list(registry._collector_to_names):
            for name in registry._collector_to_names[collector]:
                found[name] = tuple(collector._labelnames)
    return found


def expressions() -> list[tuple[str, str]]:
    alerts = [(rule["alert"], rule["expr"]) for rule in RULES]
    panels = [(p["title"], t["expr"]) for p in DASHBOARD["panels"] for t in p["targets"]]
    return alerts + panels


@pytest.mark.parametrize(("where", "expression"), expressions())
def test_only_metrics_and_labels_that_exist_are_asked_for(where: str, expression: str) -> None:
    known, used = families(), set(METRIC.findall(expression))
    assert used or "up{" in expression, where
    assert used <= known.keys(), used - known.keys()
    labels = {label for name in used for label in known[name]} | FROM_SCRAPING
    asked = {label.strip() for found in LABELS.findall(expression) for label in found.split(",")}
    assert asked <= labels, asked - labels


def test_every_metric_of_trouble_has_an_alert_or_a_panel() -> None:
    used = set(METRIC.findall(" ".join(expression for _, expression in expressions())))
    silent = {
        name for name in families() if not name.endswith(("_created", "_sum", "_count", "_info"))
    } - used
    assert silent <= {"solaris_http_requests", "solaris_http_seconds"}, silent


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_every_alert_has_a_runbook(rule: dict) -> None:
    assert rule["labels"]["severity"] in ("page", "ticket")
    book = ROOT / rule["annotations"]["runbook"]
    text = book.read_text()
    assert book.parent == RUNBOOKS
    for part in ("**What it means.**", "**What to do.**", "\n1. ", "**When it is over.**"):
        assert part in text
    assert f"| {rule['alert']} | " in (RUNBOOKS / "README.md").read_text()


def test_every_runbook_belongs_to_an_alert() -> None:
    books = {path.name for path in RUNBOOKS.glob("*.md")} - {"README.md"}
    assert books == {Path(rule["annotations"]["runbook"]).name for rule in RULES}


def test_panels_do_not_overlap() -> None:
    cells = [
        (x, y)
        for panel in DASHBOARD["panels"]
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]
    assert len(cells) == len(set(cells))
