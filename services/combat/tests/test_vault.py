"""Sealed things at rest."""

import secrets

import pytest
from cryptography.exceptions import InvalidTag

from solaris_combat.application.vault import Vault
from solaris_combat.domain.events import Box

SECRET = "0123456789abcdef" * 4


@pytest.fixture
def vault():
    return Vault(SECRET, secrets.token_bytes)


def test_what_is_sealed_opens_at_its_place_only(vault):
    box = vault.seal("fight-1/1/fire/A", {"orders": {"twist": 1}})
    assert vault.open("fight-1/1/fire/A", box) == {"orders": {"twist": 1}}
    with pytest.raises(InvalidTag):
        vault.open("fight-1/1/fire/B", box)


def test_another_data_key_opens_nothing(vault):
    box = vault.seal("p", {})
    with pytest.raises(InvalidTag):
        Vault("f" * 64, secrets.token_bytes).open("p", box)


@pytest.mark.parametrize("field", ["wrapped_key", "nonce", "ciphertext"])
def test_a_changed_box_does_not_open(vault, field):
    box = vault.seal("p", {"n": 1})
    value = getattr(box, field)
    changed = ("B" if value[0] == "A" else "A") + value[1:]
    parts = {"wrapped_key": box.wrapped_key, "nonce": box.nonce, "ciphertext": box.ciphertext}
    with pytest.raises(InvalidTag):
        vault.open("p", Box(**{**parts, field: changed}))


def test_length_tells_nothing(vault):
    short, longer = vault.seal("p", {"a": ""}), vault.seal("p", {"a": "x" * 900})
    assert len(short.ciphertext) == len(longer.ciphertext)


def test_equal_orders_look_different(vault):
    assert vault.seal("p", {"a": 1}).ciphertext != vault.seal("p", {"a": 1}).ciphertext


def test_short_secrets_are_refused_and_an_empty_one_seals_nothing():
    with pytest.raises(ValueError, match="32 characters"):
        Vault("short", secrets.token_bytes)
    with pytest.raises(ValueError, match="without a data key"):
        Vault("", secrets.token_bytes).seal("p", {})
