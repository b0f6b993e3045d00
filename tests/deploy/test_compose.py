"""docker-compose.yml: valid, linted, and every hardening line stands at every container."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from compose_pydantic import ComposeSpecification
from rendering import ROOT, SERVICES, compose

from solaris_local.secret_files import SecretFiles
from solaris_shared.http.server import GRACE_SECONDS

BIN = Path(sys.executable).parent
DIGEST = "CL-0019"
"""An image is named by its tag: whoever deploys pins the digest he has checked (docs/how-to)."""
COMPOSE = compose()
CONTAINERS: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {f"{service}-{part}" for service in SERVICES for part in ("api", "worker", "migrate")} | {"console"}


def test_it_keeps_the_schema() -> None:
    parsed = ComposeSpecification(**COMPOSE)
    assert set(parsed.services or {}) == OURS | {"postgres", "nats"}


def test_the_linter_finds_nothing_but_tags_without_a_digest() -> None:
    command = [BIN / "compose-lint", "--format", "json", "--fail-on", "high", ROOT / "docker-compose.yml"]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    rules = set(re.findall(r"CL-\d{4}", json.dumps(json.loads(answer.stdout))))
    assert rules == {DIGEST}, answer.stdout


@pytest.mark.parametrize("name", sorted(CONTAINERS))
def test_containers_are_hardened(name: str) -> None:
    one = CONTAINERS[name]
    user, group = one["user"].split(":")
    assert int(user) > 0 and int(group) > 0
    assert one["read_only"] is True
    assert one["cap_drop"] == ["ALL"] and "cap_add" not in one and "privileged" not in one
    assert one["security_opt"] == ["no-new-privileges:true"]
    assert one["pids_limit"] and one["mem_limit"] and one["cpus"]
    assert int(one["stop_grace_period"].removesuffix("s")) > GRACE_SECONDS
    assert all("noexec" in mount and "nosuid" in mount for mount in one["tmpfs"])
    assert not {"network_mode", "pid", "ipc", "devices", "env_file"} & set(one)
    assert one["logging"]["options"].keys() == {"max-size", "max-file"}
    for volume in one.get("volumes", []):
        assert volume["type"] == "volume" or (volume["read_only"] and (ROOT / volume["source"]).is_file())


@pytest.mark.parametrize("name", sorted(set(CONTAINERS) - {n for n in OURS if n.endswith("-migrate")}))
def test_lasting_containers_are_watched_and_restarted(name: str) -> None:
    assert CONTAINERS[name]["restart"] == "unless-stopped"
    assert CONTAINERS[name]["healthcheck"]["test"][0] == "CMD"


def test_what_is_published_is_published_on_the_loopback_address() -> None:
    ports = {name: one["ports"] for name, one in CONTAINERS.items() if "ports" in one}
    assert set(ports) == {"console", *(f"{service}-api" for service in SERVICES)}
    assert all(port.startswith("127.0.0.1:") for published in ports.values() for port in published)


def test_only_letters_have_a_way_out() -> None:
    assert COMPOSE["networks"]["data"] == COMPOSE["networks"]["bus"] == {"internal": True}
    members = {n: {c for c, one in CONTAINERS.items() if n in one["networks"]} for n in COMPOSE["networks"]}
    assert members["outside"] == {"mail-worker"}
    assert members["bus"] == {"nats", *(f"{service}-worker" for service in SERVICES)}
    assert members["data"] == {"postgres", *OURS} - {"console"}
    assert members["edge"] == {"console", *(f"{service}-api" for service in SERVICES)}


def test_secrets_are_the_files_that_solaris_secrets_makes(tmp_path: Path) -> None:
    SecretFiles(tmp_path).make()
    made = {path.name for path in tmp_path.iterdir()}
    declared = COMPOSE["secrets"]
    assert {Path(one["file"]).name for one in declared.values()} == set(declared) <= made
    values = {path.read_text() for path in tmp_path.iterdir()} - {""}
    for one in CONTAINERS.values():
        names = {s if isinstance(s, str) else s["source"] for s in one["secrets"]}
        assert names <= set(declared)
        files = {str(v) for v in one["environment"].values() if str(v).startswith("/run/secrets/")}
        assert files <= {f"/run/secrets/{name}" for name in names}
        assert not values & {str(v) for v in one["environment"].values()}
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert "deploy/secrets/" in ignored and "deploy/k8s/overlays/*/secrets/" in ignored


def test_each_process_holds_its_own_secrets_only() -> None:
    holders: dict[str, set[str]] = {}
    for name, one in CONTAINERS.items():
        for secret in one["secrets"]:
            key = secret if isinstance(secret, str) else secret["source"]
            holders.setdefault(key, set()).add(name)
    for service in SERVICES:
        assert holders[f"{service}-migrate.url"] == {f"{service}-migrate"}
        assert holders[f"{service}-database.url"] == {f"{service}-api", f"{service}-worker"}
        assert holders[f"{service}-database-owner"] == {"postgres"}
        assert holders[f"nats-{service}-relay.nk"] == {f"{service}-worker"}
    assert holders["token-signing.jwk"] == {"league-api"}
    assert "nats-operator.nk" not in holders


def test_processes_wait_for_their_migration_and_no_api_for_the_broker() -> None:
    for service in SERVICES:
        migrated = {f"{service}-migrate": {"condition": "service_completed_successfully"}}
        assert CONTAINERS[f"{service}-api"]["depends_on"] == migrated
        assert migrated.items() <= CONTAINERS[f"{service}-worker"]["depends_on"].items()


def test_the_broker_syncs_every_write_and_shows_itself_to_nobody() -> None:
    text = (ROOT / "deploy" / "nats" / "nats.conf").read_text()
    assert re.search(r"^\s*sync_interval: always$", text, re.MULTILINE)
    nats = CONTAINERS["nats"]
    assert nats["environment"]["SOLARIS_NATS_MONITOR"] == "127.0.0.1:8222"
    assert "ports" not in nats
    assert {"source": "nats-accounts.conf", "target": "/etc/nats/accounts.conf"} in nats["secrets"]


def test_secrets_are_made_once_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    first = SecretFiles(folder).make()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert set(first) == set(before)
    (folder / "combat-cursor").unlink()
    assert SecretFiles(folder, "elsewhere:1").make() == ["combat-cursor"]
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert after.pop("combat-cursor") != before.pop("combat-cursor")
    assert after == before
    assert folder.stat().st_mode & 0o077 == 0


def test_a_partner_gets_a_key_and_an_account_and_nothing_else_changes(tmp_path: Path) -> None:
    SecretFiles(tmp_path).make()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    made = SecretFiles(tmp_path, partners=("ana",)).make()
    assert made == ["nats-partner-ana.nk"]
    SecretFiles(tmp_path).make()  # she stays
    after = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert b"PARTNER_ANA" in after.pop("nats-accounts.conf") and after.pop("nats-partner-ana.nk")
    del before["nats-accounts.conf"]
    assert after == before
    for wrong in ("A", "a b", "../x", "a}"):
        with pytest.raises(ValueError, match="partner"):
            SecretFiles(tmp_path, partners=(wrong,)).make()
