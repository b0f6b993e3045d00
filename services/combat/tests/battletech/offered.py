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
    kinds: dict[str, list[Json]] = {"stand": [{"mode": "stand"}]}
    if movement["eject"]:
        kinds["eject"] = [{"mode": "eject"}]
    for mode, offer in movement["modes"].items():
        kinds[mode] = [way for entry in offer["reach"] for way in _way(movement, mode, entry, heat)]
    if movement["masc"]:
        most = mp_at(movement, "masc", heat)
        kinds["masc"] = [
            {"mode": "run", "steps": list(entry["steps"]), "masc": True}
            for entry in movement["masc"]["reach"]
            if entry["mp"] <= most
        ]
    kind = draw(st.sampled_from([kind for kind, ways in kinds.items() if ways]))
    return draw(st.sampled_from(kinds[kind]))


def _way(movement: Json, mode: str, entry: Json, heat: int) -> list[Json]:
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
def fires(draw: st.DrawFn, fire: Json) -> Json:
    """Any pose with shots it offers and a blow that these leave possible; anti-missile systems on or off."""
    twist = draw(st.sampled_from(fire["twists"]))
    left = {store["id"]: list(store["belt"]) for store in fire["bins"]}
    fired: list[Json] = []
    arms: set[str] = set()
    for weapon in twist["weapons"]:
        arm = {weapon["location"]} & {"LA", "RA"}
        goals = _goals(fire, weapon, left)
        if goals and draw(st.booleans()) and not (fire["one_arm_only"] and len(arms | arm) > 1):
            shot = draw(st.sampled_from(goals))
            arms |= arm
            fired.append(shot)
            for store in filter(None, (shot.get("bin"), shot.get("second_bin"))):
                left[store].pop(0)
    places = {w["location"] for w in twist["weapons"] for s in fired if s["weapon"] == w["weapon"]}
    strikes = [
        {name: blow[name] for name in ("attack", "limb", "target")}
        for blow in (*(b for b in twist["physical"] if b["possible"]), *twist["ground_blows"])
        if not places.intersection(blow["holds_fire"])
    ]
    systems = [one["ams"] for one in fire.get("ams", {}).get("systems", ()) if fire["conscious"]]
    return {
        "twist": twist["twist"],
        "flip_arms": twist["flip_arms"],
        "shots": fired,
        "physical": draw(st.sampled_from([[], *([strike] for strike in strikes)])),
        "ams": [{"ams": name} for name in systems if draw(st.booleans())],
    }


def _goals(fire: Json, weapon: Json, left: dict[str, list[str]]) -> list[Json]:
    """Every shot of a weapon with what is left on the belts: at enemies, at hexes, into the air."""
    return [
        {"weapon": weapon["weapon"], **fed, **goal}
        for fed, salvoes in _fed(weapon, left)
        for goal in (
            *(aimed for target in weapon["targets"] for aimed in _at(fire, weapon, target, salvoes)),
            *(
                {"hex": one["hex"], "intent": one["intent"]}
                for one in weapon["hexes"]
                if _usual(fire, fed, salvoes)
            ),
            *(
                [{}, {"hex": "0101", "intent": "ground"}]
                if weapon["air"] and "inferno" not in salvoes
                else []
            ),
        )
    ]


def _fed(weapon: Json, left: dict[str, list[str]]) -> list[tuple[Json, list[str]]]:
    """Each way of firing with its bins, and the salvoes that it takes."""
    modes = [(None, 1), *((mode["mode"], mode["rounds"]) for mode in weapon["modes"])]
    if not weapon["needs_ammunition"]:
        return [({"mode": mode}, []) for mode, _ in modes]
    found = []
    for mode, rounds in modes:
        for store in weapon["bins"]:
            if len(left[store]) >= max(rounds, 1):
                twice = {"second_bin": store} if rounds > 1 else {}
                found.append(({"mode": mode, "bin": store, **twice}, left[store][: max(rounds, 1)]))
    return found


def _at(fire: Json, weapon: Json, target: Json, salvoes: list[str]) -> list[Json]:
    """A shot at an enemy: as usual, aimed at every location that may be, by a spotter."""
    reached = all(target["by_salvo"].get(salvo) is not None for salvo in salvoes)
    name = target["target"]
    seen = [
        {"target": name, "spotter": one["spotter"]} for one in target.get("indirect", ()) if one["possible"]
    ]
    if not (target["possible"] and reached):
        return seen
    still = name in fire["immobile"]
    legs = ("LL", "RL") if target["table"] == "punch" else ()
    aims = [place for place in fire["aim_at"] if place not in legs] if still else []
    return [{"target": name}, *({"target": name, "aim": place} for place in aims), *seen]


def _usual(fire: Json, fed: Json, salvoes: list[str]) -> bool:
    """Whether what is fired is what the options took the numbers at hexes for."""
    belts = {store["id"]: store["belt"] for store in fire["bins"]}
    return not salvoes or set(salvoes) == {belts[fed["bin"]][0]} == {"normal"}


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
