"""Who may do what on NATS: one nkey user per role, allow lists only (queue groups bypass deny rules)."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import nkeys


def user_seed(file: Path) -> str:
    """Seed of an nkey user, made on first use in a file only its owner can read."""
    if not file.exists():
        seed = nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as target:
            target.write(seed)
    return file.read_text().strip()


def public_key(seed: str) -> str:
    """Public part of a seed, as it stands in the configuration of the server."""
    pair = nkeys.from_seed(bytearray(seed.encode()))
    return str(pair.public_key.decode())


def relay_grants(service: str) -> list[str]:
    """A relay publishes its service's facts, makes and reads its own stream; it can never purge or delete."""
    stream = service.upper()
    requests = ("CREATE", "UPDATE", "INFO", "MSG.GET")
    return [f"solaris.{service}.>", "$JS.API.INFO", *(f"$JS.API.STREAM.{word}.{stream}" for word in requests)]


def importer_grants(service: str, foreign: Iterable[str]) -> list[str]:
    """An importer has one durable of its own name on each foreign stream, bound to its public subjects.

    The short subject `CONSUMER.CREATE.<stream>.<name>` is never granted: the server checks the filter only in
    the long one.
    """
    grants = ["$JS.API.INFO"]
    for name in foreign:
        stream = name.upper()
        durable = f"{stream}.{service}"
        grants += [f"$JS.API.STREAM.INFO.{stream}", f"$JS.API.CONSUMER.INFO.{durable}"]
        grants += [f"$JS.API.CONSUMER.CREATE.{durable}.solaris.{name}.>"]
        grants += [f"$JS.API.CONSUMER.MSG.NEXT.{durable}", f"$JS.ACK.{durable}.>"]
        grants += [f"$JS.API.CONSUMER.DELETE.{durable}"]  # disposable: it follows the database
    return grants


def accounts_conf(services: Iterable[str], seeds: Mapping[str, str]) -> str:
    """Text of accounts.conf. `seeds` holds `<service>-relay`, `<service>-importer` and `operator`."""
    names = sorted(services)
    users = [_user(f"{name}-relay", seeds, relay_grants(name)) for name in names]
    for name in names:
        users.append(_user(f"{name}-importer", seeds, importer_grants(name, [o for o in names if o != name])))
    users.append(f"    {{ nkey: {public_key(seeds['operator'])} }}")
    lines = ["accounts {", "  SOLARIS {", "   jetstream: enabled", "   users: [", *users, "   ]", "  }", "}"]
    return "\n".join(lines) + "\n"


def _user(name: str, seeds: Mapping[str, str], publish: list[str]) -> str:
    allowed = ", ".join(f'"{subject}"' for subject in publish)
    permissions = f'publish: {{ allow: [{allowed}] }}, subscribe: {{ allow: ["_INBOX.{name}.>"] }}'
    return f"    {{ nkey: {public_key(seeds[name])}, permissions: {{ {permissions} }} }}  # {name}"
