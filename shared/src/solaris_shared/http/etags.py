"""Strong ETags from the canonical body, and the preconditions a change must carry."""

import hashlib
import json
from typing import Any

from fastapi import Request, Response
from fastapi.encoders import jsonable_encoder

from solaris_shared.errors import PreconditionFailed, PreconditionRequired

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def canonical(value: Any, plain: bool = False) -> bytes:
    """Canonical JSON: sorted keys, no spaces, UTF-8; `plain` says that it holds JSON's own only."""
    return _encode(value if plain else jsonable_encoder(value)).encode("utf-8", "surrogatepass")


def etag(value: Any) -> str:
    """Depends on what the caller may see and on nothing else."""
    return f'"{hashlib.sha256(canonical(value)).hexdigest()[:32]}"'


def _listed(header: str) -> list[str]:
    return [part.strip() for part in header.split(",")]


def tagged(request: Request, response: Response, value: Any) -> Any:
    """Set the ETag of a GET; answers 304 without a body when the caller has it already."""
    tag = etag(value)
    if tag in _listed(request.headers.get("if-none-match", "")):
        return Response(status_code=304, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return value


def require_match(request: Request, current: Any) -> None:
    """Raise PreconditionRequired (428) without If-Match, PreconditionFailed (412) with the current
    representation."""
    header = request.headers.get("if-match")
    if header is None:
        raise PreconditionRequired("precondition-required", "Send If-Match with the ETag you last saw.")
    tag = etag(current)
    if header.strip() != "*" and tag not in _listed(header):
        current_json = jsonable_encoder(current)
        raise PreconditionFailed(
            "precondition-failed", "It has changed.", current=current_json, headers={"ETag": tag}
        )
