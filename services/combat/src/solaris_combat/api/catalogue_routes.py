"""What can be fought with, where, and by which rules."""

from collections.abc import Mapping
from typing import Literal

from fastapi import APIRouter, Request, Response

from solaris_combat.application import extension
from solaris_combat.engines.contract import Json
from solaris_combat.engines.registry import AnyEngine, Registry
from solaris_shared.errors import NotFound
from solaris_shared.http.etags import tagged

Language = Literal["es", "en"]


def catalogue_router(registry: Registry) -> APIRouter:
    """Routes of mechs, arenas and rulesets; the same for everybody."""
    router = APIRouter(prefix="/v1", tags=["catalogue"])
    mechs = {key: value for engine in registry for key, value in engine.models.items()}
    arenas = {key: value for engine in registry for key, value in engine.arenas.items()}
    rulesets = {engine.ruleset: _ruleset(engine) for engine in registry}

    @router.get("/mechs")
    async def list_mechs(request: Request, response: Response) -> Json:
        """Models a fight can be set up with, and apart those it cannot yet be, each with the reasons."""
        refused = {model: sheet["not_played"] for model, sheet in mechs.items() if not _playable(sheet)}
        items = sorted(mechs.keys() - refused.keys())
        return tagged(request, response, {"items": items, "not_playable": refused, "next": None})

    @router.get("/mechs/{model}")
    async def get_mech(model: str, request: Request, response: Response) -> Json:
        return tagged(request, response, _found(mechs, model, "mech"))

    @router.get("/arenas")
    async def list_arenas(request: Request, response: Response) -> Json:
        return tagged(request, response, {"items": sorted(arenas), "next": None})

    @router.get("/arenas/{arena_id}")
    async def get_arena(arena_id: str, request: Request, response: Response) -> Json:
        return tagged(request, response, _found(arenas, arena_id, "arena"))

    @router.get("/words/{language}")
    async def get_words(language: Language, request: Request, response: Response) -> Json:
        """What the keys in views, options and events are called in a language."""
        known = {key: word for engine in registry for key, word in engine.words(language).items()}
        return tagged(request, response, {"language": language, "words": known})

    @router.get("/rulesets/{ruleset:path}")
    async def get_ruleset(ruleset: str, request: Request, response: Response) -> Json:
        return tagged(request, response, _found(rulesets, ruleset, "ruleset"))

    return router


def _playable(sheet: Json) -> bool:
    return bool(sheet.get("playable", True))


def _ruleset(engine: AnyEngine) -> Json:
    return {
        "id": engine.ruleset,
        "engine_version": engine.version,
        "hash": engine.ruleset_hash,
        "rules": engine.rules,
        "extension": extension.shown(),
    }


def _found(things: Mapping[str, Json], key: str, kind: str) -> Json:
    if key not in things:
        raise NotFound(f"{kind}-unknown", f"there is no such {kind}")
    return things[key]
