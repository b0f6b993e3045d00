"""Who works on the operators' pages: a session token given once by form, then kept encrypted in a cookie.

The cookie ends with the browser's session, and the token in it after 15 minutes; nothing is stored here.
Forms carry a token derived from the cookie, and a request that changes something must come from these pages.
"""

import base64
import binascii
import hashlib
import hmac
import os
from urllib.parse import parse_qsl, urlsplit

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from fastapi import Request
from starlette.responses import Response

from solaris_shared.errors import Forbidden, Unauthenticated
from solaris_shared.http.auth import Policy, Principal, action
from solaris_shared.http.context import context_of
from solaris_shared.http.gate import authenticate

POLICY = Policy({"operate": action(None, operator="any")})
NONCE_BYTES = 12
MAX_FIELDS = 20


def cookie_name(request: Request) -> str:
    """One per service: on one machine all services share a host, and cookies know no ports."""
    return f"__Host-solaris-{context_of(request).definition.name}-ops"


def _cipher(request: Request) -> AESGCM:
    return AESGCM(context_of(request).derived("ops-session"))


async def operator_with(request: Request, token: str) -> Principal:
    """The operator of a token. Raises Unauthenticated, Forbidden."""
    principal = await authenticate(context_of(request), token)
    POLICY.require(principal, "operate")
    return principal


async def operator_of(request: Request) -> Principal:
    """The operator of the cookie. Raises Unauthenticated, Forbidden."""
    try:
        sealed = base64.urlsafe_b64decode(request.cookies.get(cookie_name(request), ""))
        nonce, text = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
        token = _cipher(request).decrypt(nonce, text, b"ops").decode()
    except (InvalidTag, ValueError, binascii.Error) as error:
        raise Unauthenticated("login-required", "This needs an operator's session.") from error
    return await operator_with(request, token)


def log_in(request: Request, response: Response, token: str) -> None:
    """Set the cookie."""
    nonce = os.urandom(NONCE_BYTES)
    sealed = nonce + _cipher(request).encrypt(nonce, token.encode(), b"ops")
    value = base64.urlsafe_b64encode(sealed).decode()
    response.set_cookie(cookie_name(request), value, secure=True, httponly=True, samesite="strict", path="/")


def log_out(request: Request, response: Response) -> None:
    """Take the cookie away."""
    response.delete_cookie(cookie_name(request), secure=True, httponly=True, samesite="strict", path="/")


def form_token(request: Request) -> str:
    """What every form of this session carries."""
    cookie = request.cookies.get(cookie_name(request), "")
    return hmac.new(context_of(request).derived("ops-forms"), cookie.encode(), hashlib.sha256).hexdigest()


async def read_form(request: Request, *, logged_in: bool = True) -> dict[str, str]:
    """The fields of a form. Raises Forbidden `not-from-here` for one that another site made."""
    good = _from_here(request)
    try:
        fields = dict(parse_qsl((await request.body()).decode("utf-8", "replace"), max_num_fields=MAX_FIELDS))
    except ValueError:  # more fields than any form of ours has
        good, fields = False, {}
    if logged_in:
        given = fields.get("form_token", "").encode()
        good = good and hmac.compare_digest(given, form_token(request).encode())
    if not good:
        raise Forbidden("not-from-here", "This form was not made by these pages. Reload and try again.")
    return fields


def _from_here(request: Request) -> bool:
    """Browsers say where a form comes from; a request that says nothing is refused."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin", "")
    if site is not None and site != "same-origin":
        return False
    return urlsplit(origin).netloc == request.headers.get("host") or (not origin and site == "same-origin")
