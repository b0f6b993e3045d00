"""The errors a caller may meet. Each has a stable kebab-case code and the HTTP status that tells it best."""

from typing import Any, ClassVar


class SolarisError(Exception):
    """The root: `code` for programs, `detail` for people, `extra` for further members of the answer."""

    status: ClassVar[int] = 500

    def __init__(self, code: str, detail: str = "", **extra: Any) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail
        self.extra = extra


class BadRequest(SolarisError):
    """The request cannot be understood."""

    status = 400


class Unauthenticated(SolarisError):
    """It is not known who asks."""

    status = 401


class Forbidden(SolarisError):
    """It is known who asks, and that he may not."""

    status = 403


class NotFound(SolarisError):
    """There is no such thing, or none that this caller may know of."""

    status = 404


class Conflict(SolarisError):
    """The present state does not allow it."""

    status = 409


class VersionConflict(Conflict):
    """The stream is not at the expected version any more; load, decide and append again."""


class InFlight(Conflict):
    """The same command is being carried out at this moment; ask again soon for its answer."""


class Rejected(Conflict):
    """A rule says no; `rule` names the paragraph, where there is one."""

    def __init__(self, code: str, detail: str = "", rule: str | None = None, **extra: Any) -> None:
        super().__init__(code, detail, **extra)
        self.rule = rule


class PreconditionFailed(SolarisError):
    """If-Match names a state that has passed."""

    status = 412


class Unprocessable(SolarisError):
    """Understood, but its content cannot be accepted."""

    status = 422


class PreconditionRequired(SolarisError):
    """A header that protects from lost updates or repeats is missing."""

    status = 428


class RateLimited(SolarisError):
    """Too many requests; try later."""

    status = 429


class Unavailable(SolarisError):
    """A thing this needs is away at the moment; the same request may be sent again."""

    status = 503
