"""What the world may know of mail: that a person can be reached, never where."""

from solaris_mail.domain.contact import ContactConfirmed
from solaris_shared.log.event_log import PublicEvent


def publish(event: object, stream: str) -> PublicEvent | None:
    """The public fact of a private event, or None."""
    match event:
        case ContactConfirmed(person_id):
            subject = stream.replace("-", "/", 1)
            return PublicEvent("solaris.mail.contact-confirmed.v1", subject, {"person_id": person_id})
        case _:
            return None
