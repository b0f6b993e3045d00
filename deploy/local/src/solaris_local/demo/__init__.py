"""The demonstration league: seeded, played and told through the public REST APIs alone."""
