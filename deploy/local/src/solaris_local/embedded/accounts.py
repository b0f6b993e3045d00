"""Who may do what on NATS: one nkey user per role, allow lists only (queue groups bypass deny rules)."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

import nkeys

PARTNER_NAME: Final = re.compile(r"[a-z][a-z0-9-]{1,31}")
PARTNER_LIMITS: Final = "max_connections: 5, max_subscriptions: 50, max_payload: 65536"


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


def partner_grants(partner: str, services: Iterable[str]) -> list[str]:
    """A partner asks for the next messages of its own durable on each stream and acknowledges them."""
    durables = [f"{name.upper()}.{partner_durable(partner)}" for name in services]
    return [
        subject
        for durable in durables
        for subject in (f"$JS.API.CONSUMER.MSG.NEXT.{durable}", f"$JS.ACK.{durable}.>")
    ]


def partner_durable(partner: str) -> str:
    """Name of a partner's consumer on every stream, and of its user."""
    return f"partner-{partner}"


def accounts_conf(
    services: Iterable[str], seeds: Mapping[str, str], partners: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Text of accounts.conf. `seeds` holds `<service>-relay`, `<service>-importer` and `operator`; `partners`
    the public key of each partner by its name (small letters, digits, hyphens)."""
    names = sorted(services)
    users = [_user(f"{name}-relay", seeds, relay_grants(name)) for name in names]
    for name in names:
        users.append(_user(f"{name}-importer", seeds, importer_grants(name, [o for o in names if o != name])))
    users.append(f"    {{ nkey: {public_key(seeds['operator'])} }}")
    exports = [line for partner in sorted(partners) for line in _exports(partner, names)]
    lines = ["accounts {", "  SOLARIS {", "   jetstream: enabled", "   users: [", *users, "   ]"]
    lines += ["   exports: [", *exports, "   ]"] if exports else []
    lines += [
        "  }",
        *(line for partner in sorted(partners) for line in _partner(partner, partners, names)),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _exports(partner: str, services: list[str]) -> Iterator[str]:
    """What the league's account opens to one partner's account, and to no other."""
    to = f"accounts: [{_account(partner)}]"
    yield f'    {{ stream: "solaris.>", {to} }}'
    for subject in partner_grants(partner, services):
        answers = ", response_type: stream" if "MSG.NEXT" in subject else ""
        yield f'    {{ service: "{subject}"{answers}, {to} }}'


def _partner(partner: str, keys: Mapping[str, str], services: list[str]) -> Iterator[str]:
    """An account of its own, without JetStream, bounded, with nothing in it but the imports."""
    user, grants = partner_durable(partner), partner_grants(partner, services)
    yield f"  {_account(partner)} {{"
    yield f"   limits: {{ {PARTNER_LIMITS} }}"
    permissions = _permissions(grants, [f"_INBOX.{user}.>", "solaris.>"])
    yield f"   users: [ {{ nkey: {keys[partner]}, permissions: {{ {permissions} }} }} ]"
    yield "   imports: ["
    yield '    { stream: { account: SOLARIS, subject: "solaris.>" } }'
    for subject in grants:
        yield f'    {{ service: {{ account: SOLARIS, subject: "{subject}" }} }}'
    yield "   ]"
    yield "  }"


def _account(partner: str) -> str:
    if not PARTNER_NAME.fullmatch(partner):
        raise ValueError(f"{partner!r} is no name of a partner: small letters, digits and hyphens, 2 to 32")
    return f"PARTNER_{partner.upper().replace('-', '_')}"


def _permissions(publish: list[str], subscribe: list[str]) -> str:
    allowed, heard = (", ".join(f'"{subject}"' for subject in subjects) for subjects in (publish, subscribe))
    return f"publish: {{ allow: [{allowed}] }}, subscribe: {{ allow: [{heard}] }}"


def _user(name: str, seeds: Mapping[str, str], publish: list[str]) -> str:
    permissions = _permissions(publish, [f"_INBOX.{name}.>"])
    return f"    {{ nkey: {public_key(seeds[name])}, permissions: {{ {permissions} }} }}  # {name}"
