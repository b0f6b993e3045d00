"""What an operator must see of letters, at the worker's metrics: how many wait, how late, how many failed."""

from solaris_shared import clock
from solaris_shared.definition import GaugeQuery

DUE = f"FROM letter WHERE state = 'queued' AND next_attempt_at <= {clock.NOW_SQL}"
FAILED = f"final_at > {clock.NOW_SQL} - interval '1 day'"
LETTER_GAUGES = (
    GaugeQuery(
        "solaris_letters_queued",
        "Letters not sent yet",
        "SELECT count(*) FROM letter WHERE state = 'queued'",
    ),
    GaugeQuery(
        "solaris_letters_late_seconds",
        "Age of the oldest letter that could have been sent by now",
        f"SELECT coalesce(extract(epoch FROM {clock.NOW_SQL} - min(created_at)), 0)::float {DUE}",
    ),
    GaugeQuery(
        "solaris_letters_failed_day",
        "Letters refused or expired within a day",
        f"SELECT count(*) FROM letter WHERE state IN ('refused', 'expired') AND {FAILED}",
    ),
)
