"""Structured JSON logs on standard output: one object per line, with the correlation id, never with a
secret."""

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog
from structlog.typing import Processor

SECRET_KEY = re.compile(
    r"passw|secret|token|authori[sz]ation|cookie|credential|nonce|salt|seed|private|signing|api_?key", re.I
)
SECRET_TEXT = re.compile(
    r"s7p_[\w.-]+|eyJ[\w-]{8,}\.[\w-]+\.[\w-]+|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)|\bS[UA][A-Z2-7]{50,}\b"
)
DROPPED = "[dropped]"


def scrub(value: Any) -> Any:
    """The value without secrets: those under a telling key, and those known by their form, at any depth."""
    if isinstance(value, str):
        return SECRET_TEXT.sub(DROPPED, value)
    if isinstance(value, Mapping):
        return {k: DROPPED if SECRET_KEY.search(str(k)) else scrub(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [scrub(item) for item in value]
    return value


def drop_secrets(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return scrub(event)


def configure_logging(service: str, process: str, level: str = "INFO") -> None:
    """Route structlog and the standard library's loggers to JSON lines. Tracebacks are text without local
    variables."""

    def stamp(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        event["service"], event["process"] = service, process
        return event

    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        stamp,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            drop_secrets,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
    )
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
