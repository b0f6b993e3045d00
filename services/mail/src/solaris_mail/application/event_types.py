"""Stored names of mail's events. Letters and contacts are no events: they are personal and mutable."""

from solaris_mail.domain.contact import ContactConfirmed
from solaris_shared.log.codec import EventTypes

EVENT_TYPES = EventTypes({"contact-confirmed": ContactConfirmed})
