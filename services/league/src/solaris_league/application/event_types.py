"""Stored names of the league's private events."""

from solaris_league.domain import appeal, fight, injuries, mechwarrior, person, round, substitution
from solaris_shared.log.codec import EventTypes

EVENT_TYPES = EventTypes(
    {
        "person-registered": person.PersonRegistered,
        "roles-changed": person.RolesChanged,
        "personal-token-issued": person.PersonalTokenIssued,
        "token-revoked": person.TokenRevoked,
        "mechwarrior-entered": mechwarrior.MechwarriorEntered,
        "fight-recorded": mechwarrior.FightRecorded,
        "skill-improved": mechwarrior.SkillImproved,
        "injuries-rolled": injuries.InjuriesRolled,
        "mechwarrior-died": injuries.MechwarriorDied,
        "permanence-called": mechwarrior.PermanenceCalled,
        "permanence-ended": mechwarrior.PermanenceEnded,
        "promoted": mechwarrior.Promoted,
        "relegated": mechwarrior.Relegated,
        "challenge-issued": round.ChallengeIssued,
        "challenge-answered": round.ChallengeAnswered,
        "appeal-lodged": appeal.AppealLodged,
        "ruling-published": appeal.RulingPublished,
        "round-opened": round.RoundOpened,
        "lot-seeded": round.LotSeeded,
        "lot-drawn": round.LotDrawn,
        "fight-scheduled": round.FightScheduled,
        "fight-counted": round.FightCounted,
        "fight-struck": round.FightStruck,
        "fight-voided": fight.FightVoided,
        "substitute-seated": substitution.SubstituteSeated,
        "ranking-published": round.RankingPublished,
        "round-closed": round.RoundClosed,
        "pool-extended": round.PoolExtended,
        "round-voided": round.RoundVoided,
    }
)
