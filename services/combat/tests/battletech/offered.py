"""Orders put together from `options` and nothing else, as strategies of Hypothesis; and what they may hold.

`movements` and `blows` take the options of a side. `lies_within` says whether a movement that was accepted is
one that the options hold, detours to a reachable end included.
"""

from typing import Any

from hypothesis import strategies as st

from solaris_combat.engines.battletech.pilot_move import mp_at

Json = dict[str, Any]


@st.composite
def movements(draw: st.DrawFn, movement: Json, heat: int) -> Json:
    """Any movement the options offer at a heat: standing, ejecting, a way by any mode, a drop after it."""
    ways: list[Json] = [{"mode": "stand"}]
    if movement["eject"]:
        ways.append({"mode": "eject"})
    for mode, offer in movement["modes"].items():
        ways += [w for entry in offer["reach"] for w in _way(draw, movement, mode, entry, heat)]
    if movement["masc"]:
        most = mp_at(movement, "masc", heat)
        ways += [
            {"mode": "run", "steps": list(entry["steps"]), "masc": True}
            for entry in movement["masc"]["reach"]
            if entry["mp"] <= most
        ]
    return draw(st.sampled_from(ways))


def _way(draw: st.DrawFn, movement: Json, mode: str, entry: Json, heat: int) -> list[Json]:
    most = mp_at(movement, mode, heat)
    if mode == "jump":
        fits = entry["mp"] <= most
        return [{"mode": "jump", "path": entry["path"], "facing": 1}] if fits else []
    if entry["mp"] > most and not (most and entry.get("always")):
        return []
    way = {"mode": mode, "steps": list(entry["steps"])}
    lies = entry.get("prone") or entry["mp"] + movement["drop_prone_mp"] > most
    water = "entered_water" in "".join(entry.get("checks", ())) and mode == "run"
    return [way] if lies or water else [way, {**way, "steps": [*way["steps"], "D"]}]


@st.composite
def blows(draw: st.DrawFn, fire: Json) -> Json:
    """A twist with any physical attack it offers, two punches, a club to pick up, or nothing; no shots."""
    twist = draw(st.sampled_from(fire["twists"]))
    possible = [blow for blow in twist["physical"] if blow["possible"]]
    arms = {blow["limb"]: blow for blow in possible if blow["attack"] == "punch"}
    choices = [[], *([blow] for blow in possible), *([list(arms.values())] if len(arms) == 2 else [])]
    chosen = draw(st.sampled_from(choices))
    clubs = [None, *(club["kind"] for club in fire["clubs"])] if not chosen else [None]
    return {
        "twist": twist["twist"],
        "physical": [{name: blow[name] for name in ("attack", "limb", "target")} for blow in chosen],
        "pick_up": draw(st.sampled_from(clubs)),
    }


def lies_within(movement: Json, move: Json, end: Json, heat: int) -> bool:
    """Whether an accepted movement with this end (by its preview) is offered, so or by a cheaper way."""
    if move["mode"] == "stand":
        return True
    if move["mode"] == "eject":
        return movement["eject"] is not None
    offer = movement["masc"] if move.get("masc") else movement["modes"].get(move["mode"])
    here = (end["hex"], end["facing"]) == (movement["here"]["hex"], movement["here"]["facing"])
    if offer is None:
        return False
    if move["mode"] == "jump":
        return any(entry["hex"] == end["hex"] for entry in offer["reach"])
    reached = [e for e in offer["reach"] if (e["hex"], e["facing"]) == (end["hex"], end["facing"])]
    return here or any(entry["mp"] <= end["mp"] for entry in reached)
