"""How far handlers are behind, in facts that everybody may know.

A lag counted in positions would tell of every order sealed while a handler stands: it counts public and
imported events only, up to 1,000.
"""

BEHIND = """CASE WHEN checkpoint >= head.position THEN 0 ELSE (
    SELECT count(*) FROM (
        SELECT FROM event e JOIN log l ON l.ordinal = e.ordinal LEFT JOIN outbox o ON o.position = l.position
        WHERE l.position > checkpoint AND (o.position IS NOT NULL OR starts_with(e.stream, 'import-'))
        LIMIT 1000) waiting) END"""
"""SQL expression over a row with `checkpoint` and the row `head`."""
