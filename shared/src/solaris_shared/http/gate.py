"""The gate before every route: who calls, is the token still good, and has he requests left."""

import structlog
from fastapi import Request

from solaris_shared.errors import Unauthenticated
from solaris_shared.http.auth import ANONYMOUS, Principal, bearer_token, principal_of
from solaris_shared.http.context import ApiContext, context_of
from solaris_shared.http.limits import UNWATCHED, cost_of, network_of
from solaris_shared.http.revocations import NAME, is_revoked


async def authenticate(context: ApiContext, token: str) -> Principal:
    """Raises Unauthenticated for a token that is forged, expired, malformed or revoked."""
    claims = context.verifier.verify(token)
    kept = any(projection.name == NAME for projection in context.definition.projections)
    if claims.kind == "personal" and kept and await is_revoked(context.views, claims.token_id):
        raise Unauthenticated("token-revoked", "The token has been revoked.")
    return principal_of(claims)


async def gate(request: Request) -> None:
    """Application-wide dependency: sets request.state.principal and the RateLimit headers of the answer."""
    context, cost_class = context_of(request), cost_of(request.scope.get("endpoint"), request.method)
    net = request.state.network = f"net:{network_of(request.client.host if request.client else '')}"
    try:
        token = bearer_token(request)
        principal = await authenticate(context, token) if token else ANONYMOUS
    except Unauthenticated:
        context.limiter.take(net, "login")
        raise
    request.state.principal = principal
    if cost_class not in UNWATCHED:
        structlog.contextvars.bind_contextvars(principal=principal.key)
    caller = net if principal.person is None or cost_class == "login" else principal.key
    request.state.rate_headers = context.limiter.take(caller, cost_class)
