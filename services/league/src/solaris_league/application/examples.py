"""Coherent examples of the events whose public facts stand in the contracts."""

from collections.abc import Mapping, Sequence

from solaris_league.domain.appeal import RulingPublished
from solaris_league.domain.fight import FightVoided
from solaris_league.domain.injuries import InjuriesRolled, MechwarriorDied
from solaris_league.domain.mechwarrior import Promoted, Relegated
from solaris_league.domain.round import (
    ChallengeAnswered,
    ChallengeIssued,
    Fighter,
    FightScheduled,
    LentMech,
    PoolExtended,
    RoundVoided,
    ScheduledSide,
)
from solaris_league.domain.substitution import Substitute

ANA = ScheduledSide(
    side="A",
    mechwarrior_id="8d2f0a6e-3a51-4f0b-9a34-1f1c9b7e6d32",
    person_id="5e0f7a90-6f0a-4f62-8a52-0c3f5d1b9e43",
    name="Halcón",
    gunnery=4,
    piloting=5,
    mech=LentMech("3c0c7f0e-6a55-4a39-8f5e-2f6b1f0d9a21", "PNT-9R"),
)
BEA = ScheduledSide(
    side="B",
    mechwarrior_id="1b7d9c34-5a0f-4a2e-b1f6-9c0e4d7a8f55",
    person_id="7c2e4b18-0d3f-4c86-a5e7-3f9b6d1a2c64",
    name="Lobo Gris",
    gunnery=4,
    piloting=4,
    mech=LentMech("d4a8e6f2-91b3-4c57-8e0d-6a2f7b5c3e76", "JVN-10N"),
)

FIGHTERS = tuple(Fighter(one.mechwarrior_id, one.person_id, one.name) for one in (ANA, BEA))
STANDS_IN = (Substitute("B", "4a6c8e0f-1b3d-4f57-9a2c-6e8f0a1b3c5d"),)
FIGHT_ID = "0b1f6c58-0c43-4d0e-9f0e-5d1d2f6a7b10"
ROUND_ID, CHALLENGE_ID = "2f9d8b7c-6e5a-4d3c-8b1a-0f9e8d7c6b5a", "9a8b7c6d-5e4f-4a3b-9c2d-1e0f9a8b7c6d"

EXAMPLES: Mapping[str, Sequence[object]] = {
    "fight-scheduled": (
        FightScheduled(
            fight_id="0b1f6c58-0c43-4d0e-9f0e-5d1d2f6a7b10",
            round_id="2f9d8b7c-6e5a-4d3c-8b1a-0f9e8d7c6b5a",
            round=1,
            ruleset="solaris7/1",
            class_=3,
            arena="la-cantera",
            turns=8,
            turn_seconds=172_800,
            purse={"win": 300_000, "draw": 200_000, "loss": 100_000},
            sides=(ANA, BEA),
        ),
    ),
    "injuries-rolled": (
        InjuriesRolled(
            mechwarrior_id=ANA.mechwarrior_id,
            fight_id="0b1f6c58-0c43-4d0e-9f0e-5d1d2f6a7b10",
            round=1,
            faces=(3, 3),
            result="hands",
            rounds_out=2,
            gunnery=1,
            piloting=0,
            wounds=0,
            reputation=0,
            person_id=ANA.person_id,
            name=ANA.name,
        ),
    ),
    "mechwarrior-died": (
        MechwarriorDied(
            BEA.mechwarrior_id, "0b1f6c58-0c43-4d0e-9f0e-5d1d2f6a7b10", 1, BEA.person_id, BEA.name
        ),
    ),
    **{
        name: (kind(BEA.mechwarrior_id, BEA.person_id, BEA.name, FIGHT_ID, *move, 0),)
        for name, kind, move in (("promoted", Promoted, (3, 4)), ("relegated", Relegated, (4, 3)))
    },
    "pool-extended": (PoolExtended(ROUND_ID, 1, 3, (ANA.mech, BEA.mech), "Faltaban dos 'Mechs."),),
    "round-voided": (RoundVoided(ROUND_ID, 1, 3, "No hay dos que puedan luchar.", FIGHTERS),),
    "challenge-issued": (
        ChallengeIssued(ROUND_ID, CHALLENGE_ID, ANA.mechwarrior_id, BEA.mechwarrior_id, 1, 3, FIGHTERS),
    ),
    "challenge-answered": tuple(
        ChallengeAnswered(ROUND_ID, CHALLENGE_ID, accepted, 1, 3, FIGHTERS) for accepted in (True, False)
    ),
    "ruling-published": tuple(
        RulingPublished(
            ruling_id="6c1d2e3f-4a5b-4c6d-8e7f-9a0b1c2d3e4f",
            fight_id="0b1f6c58-0c43-4d0e-9f0e-5d1d2f6a7b10",
            round=1,
            class_=3,
            side="A",
            turn=4,
            granted=granted,
            late=not granted,
            answer=answer,
            arena="la-cantera",
            sides=(ANA, BEA),
            substitutes=STANDS_IN,
        )
        for granted, answer in ((True, "El calor se contó dos veces."), (False, "El turno ya está cerrado."))
    ),
    "fight-voided": tuple(
        FightVoided(
            fight_id="0b1f6c58-0c43-4d0e-9f0e-5d1d2f6a7b10",
            round_id="2f9d8b7c-6e5a-4d3c-8b1a-0f9e8d7c6b5a",
            round=1,
            class_=3,
            arena="la-cantera",
            cause=cause,
            reason=reason,
            sides=(ANA, BEA),
            codes=codes,
            substitutes=STANDS_IN if cause == "commission" else (),
        )
        for cause, reason, codes in (
            ("refused", "no model 'XYZ-1'", ("unknown-model",)),
            ("commission", "La arena está cerrada.", ()),
        )
    ),
}
