"""Tokens: what is accepted, and every forgery that must not be."""

import base64
import json
from datetime import UTC, datetime

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey

from solaris_shared.errors import Unauthenticated
from solaris_shared.http.tokens import Claims, Verifier, make_key, public_jwks, sign

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SECONDS = int(NOW.timestamp())
KEY = make_key()


def claims(kind="session", expires=SECONDS + 900, **changes):
    given = {"roles": frozenset({"player"}), "scopes": frozenset({"*"}), "token_id": "t-1", **changes}
    return Claims("p-1", given["roles"], given["scopes"], given["token_id"], kind, SECONDS, expires)


@pytest.fixture
def jwks(tmp_path):
    file = tmp_path / "jwks.json"
    file.write_text(json.dumps(public_jwks(KEY)))
    return file


@pytest.fixture
def verifier(jwks):
    return Verifier(jwks, lambda: NOW)


def unsigned(header, payload):
    parts = [json.dumps(part).encode() for part in (header, payload)]
    return ".".join([*(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts), ""])


def payload(**changes):
    return {"iss": "solaris7", "sub": "p-1", "roles": ["operator"], "scope": "*", "jti": "t",
            "kind": "session", "iat": SECONDS, "exp": SECONDS + 900, **changes}  # fmt: skip


def code_of(verifier, token):
    with pytest.raises(Unauthenticated) as caught:
        verifier.verify(token)
    return caught.value.code


@pytest.mark.parametrize("kind", ["session", "personal"])
def test_a_signed_token_gives_back_its_claims(verifier, kind):
    assert verifier.verify(sign(KEY, claims(kind))) == claims(kind)


def test_personal_tokens_carry_the_prefix_secret_scanners_look_for():
    assert sign(KEY, claims("personal")).startswith("s7p_")


def test_signing_is_deterministic_so_that_a_replayed_command_shows_the_same_token():
    assert sign(KEY, claims("personal")) == sign(KEY, claims("personal"))


def test_expiry_is_an_open_end(verifier):
    assert code_of(verifier, sign(KEY, claims(expires=SECONDS))) == "token-expired"
    assert verifier.verify(sign(KEY, claims(expires=SECONDS + 1)))


def test_alg_none_is_refused(verifier):
    assert code_of(verifier, unsigned({"alg": "none"}, payload())) == "token-invalid"


def test_the_public_key_is_not_accepted_as_a_shared_secret(verifier, jwks):
    secret = OctKey.import_key(jwks.read_text())
    kid = public_jwks(KEY)["keys"][0]["kid"]
    forged = jwt.encode({"alg": "HS256", "kid": kid}, payload(), secret, algorithms=["HS256"])
    assert code_of(verifier, forged) == "token-invalid"


def test_another_key_is_refused_even_under_our_kid(verifier):
    other = {**make_key(), "kid": KEY["kid"]}
    assert code_of(verifier, sign(other, claims())) == "token-invalid"
    assert code_of(verifier, sign(make_key(), claims())) == "token-invalid"


def test_one_changed_character_is_refused(verifier):
    token = sign(KEY, claims())
    head, body, signature = token.split(".")
    for changed in (f"{head}.{body[:-2]}AA.{signature}", f"{head}.{body}.{'A' * len(signature)}"):
        assert code_of(verifier, changed) == "token-invalid"


def test_a_session_token_is_no_personal_token_and_the_reverse(verifier):
    assert code_of(verifier, "s7p_" + sign(KEY, claims())) == "token-invalid"
    assert code_of(verifier, sign(KEY, claims("personal")).removeprefix("s7p_")) == "token-invalid"


@pytest.mark.parametrize(
    "token", ["", ".", "..", "a.b.c", "é" * 10, "\x00", "s7p_", "x" * 5000, "eyJhbGciOiJFZDI1NTE5In0.e30."]
)
def test_rubbish_is_refused(verifier, token):
    assert code_of(verifier, token) == "token-invalid"


@pytest.mark.parametrize(
    "changes",
    [{"iss": "other"}, {"sub": ""}, {"sub": 7}, {"roles": "operator"[:0]}, {"kind": "god"}, {"exp": "9" * 20},
     {"exp": None}, {"exp": True}, {"scope": None}, {"roles": [1]}],
)  # fmt: skip
def test_well_signed_but_wrong_claims_are_refused(verifier, changes):
    from joserfc.jwk import OKPKey

    if changes == {"roles": ""}:
        changes = {"roles": None}
    key = OKPKey.import_key(KEY)
    token = jwt.encode({"alg": "Ed25519", "kid": key.kid}, payload(**changes), key, algorithms=["Ed25519"])
    assert code_of(verifier, token) == "token-invalid"


def test_a_new_key_in_the_file_is_taken_up_and_the_old_one_can_be_withdrawn(jwks):
    verifier, new = Verifier(jwks, lambda: NOW), make_key()
    old_token, new_token = sign(KEY, claims()), sign(new, claims())
    assert code_of(verifier, new_token) == "token-invalid"
    jwks.write_text(json.dumps(public_jwks(KEY, new)))
    assert verifier.verify(new_token) and verifier.verify(old_token)
    jwks.write_text(json.dumps(public_jwks(new)))
    assert verifier.verify(new_token)
    assert code_of(verifier, old_token) == "token-invalid"


def test_without_a_key_file_nobody_is_let_in(tmp_path):
    verifier = Verifier(tmp_path / "absent.json", lambda: NOW)
    assert code_of(verifier, sign(KEY, claims())) == "token-not-verifiable"


def test_the_jwks_document_holds_no_private_half():
    assert set(public_jwks(KEY)["keys"][0]) == {"alg", "crv", "kid", "kty", "use", "x"}
