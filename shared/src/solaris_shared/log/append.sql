-- the first event of a stream ($2 is 0)
WITH added AS (
    INSERT INTO event (stream, version, event_id, type, type_version, data, meta, recorded_at)
    VALUES ($1, $2::int + 1, $4, $5, $6, $7::text::jsonb, $8::text::jsonb, $3)
    RETURNING ordinal)
INSERT INTO pending (ordinal, subject, envelope) SELECT ordinal, $9, $10 FROM added;

-- one event behind version $2, which must exist
WITH added AS (
    INSERT INTO event (stream, version, event_id, type, type_version, data, meta, recorded_at)
    SELECT $1, $2::int + 1, $4, $5, $6, $7::text::jsonb, $8::text::jsonb, $3
    FROM event WHERE stream = $1 AND version = $2::int
    RETURNING ordinal)
INSERT INTO pending (ordinal, subject, envelope) SELECT ordinal, $9, $10 FROM added;

-- several events, in order
WITH added AS (
    INSERT INTO event (stream, version, event_id, type, type_version, data, meta, recorded_at)
    SELECT $1, $2 + n, id, type, type_version, data::jsonb, meta::jsonb, $3
    FROM unnest($4::uuid[], $5::text[], $6::int[], $7::text[], $8::text[])
        WITH ORDINALITY AS new (id, type, type_version, data, meta, n)
    WHERE $2 = 0 OR EXISTS (SELECT FROM event WHERE stream = $1 AND version = $2)
    ORDER BY n
    RETURNING ordinal, version)
INSERT INTO pending (ordinal, subject, envelope)
SELECT ordinal, subject, envelope
FROM added JOIN unnest($9::text[], $10::bytea[]) WITH ORDINALITY AS fact (subject, envelope, n)
    ON version = $2 + n;
