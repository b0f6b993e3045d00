"""The data folder: private, locked by one runtime, written in one step."""

import json
from pathlib import Path

import pytest

from solaris_local import services
from solaris_local.embedded import process
from solaris_local.home import Home, HomeInUse, write_private


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "league")
    made.create()
    return made


def test_keys_are_made_once_and_private(home: Home) -> None:
    first = home.key("data").read_text()
    assert len(bytes.fromhex(first)) == 32
    assert home.key("data").read_text() == first
    assert home.key("data").stat().st_mode & 0o077 == 0
    assert home.key("other").read_text() != first


def test_signing_keys_survive_an_interruption_between_the_two_files(home: Home) -> None:
    services.make_signing_keys(home)
    public = home.root / "keys" / "jwks.json"
    before = public.read_text()
    public.unlink()
    services.make_signing_keys(home)
    assert public.read_text() == before
    assert "d" not in json.loads(before)["keys"][0], "the private part stays private"


def test_two_runtimes_never_share_a_home(home: Home) -> None:
    home.lock()
    with pytest.raises(HomeInUse):
        home.lock()


def test_a_half_written_state_is_never_read(home: Home) -> None:
    home.write_state({"ports": {"nats": 1}})
    (home.root / ".state.json.part").write_text('{"ports"')
    assert home.read_state() == {"ports": {"nats": 1}}
    home.state_file.write_text("{")
    assert home.read_state() == {}
    write_private(home.state_file, "{}")
    assert home.state_file.stat().st_mode & 0o077 == 0


def test_every_process_is_told_its_own_secrets_only(home: Home) -> None:
    addresses = services.Addresses("nats://127.0.0.1:4222", services.Ports.preferred())
    league, combat = (services.environment(home, name, addresses) for name in ("league", "combat"))
    assert "SOLARIS_SIGNING_KEY_FILE" in league
    assert "SOLARIS_SIGNING_KEY_FILE" not in combat
    files = {value for key, value in league.items() if key.endswith("_FILE")}
    shared = files & {value for key, value in combat.items() if key.endswith("_FILE")}
    assert {Path(name).name for name in shared} == {"jwks.json"}
    assert all(not value.startswith("postgresql://") for value in (*league.values(), *combat.values()))


def test_servers_lie_where_their_account_can_reach_them(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "unprivileged", lambda: process.Account("nobody", 65534, 65534))
    monkeypatch.setattr("solaris_local.home.FAR_ROOT", tmp_path / "far")
    monkeypatch.setattr(process, "reachable", lambda path: False)
    assert home.servers().parent == tmp_path / "far"
    assert home.servers() == Home(home.root).servers(), "the same place at every start"
    monkeypatch.setattr(process, "reachable", lambda path: True)
    assert home.servers() == home.root / "servers"
