"""The log on standard error: one line per event, as text for people or as JSON. A learner's source is never logged."""

import logging
import sys
from typing import Literal

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger


def configure_logs(process: str, log_format: Literal["console", "json"], level: str) -> None:
    """Set up structlog, and the same format for what libraries log. Each line names `process`."""

    def name_process(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
        event["process"] = process
        return event

    steps: list[Processor] = [structlog.processors.add_log_level, structlog.processors.TimeStamper("iso"), name_process]
    renderer: Processor = structlog.processors.JSONRenderer(ensure_ascii=False) if log_format == "json" else make_console_renderer()
    rendering: list[Processor] = [structlog.processors.format_exc_info, escape, renderer]
    structlog.configure(
        processors=[*steps, *rendering],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler()
    remove = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=[remove, *rendering], foreign_pre_chain=steps))
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    for name in ("asyncio", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("uvicorn").setLevel(logging.ERROR)  # it warns of each malformed request, and anybody can send hundreds a second


def escape(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Escape characters that could move the cursor, start a line or change the direction of text. A traceback keeps its lines, indented."""
    for name, value in event.items():
        if isinstance(value, str) and not value.isprintable():
            lines = value.split("\n") if name == "exception" else [value]
            event[name] = "\n  ".join(map(escape_line, lines))
    return event


def escape_line(text: str) -> str:
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def make_console_renderer() -> Processor:
    # prettier tracebacks print local variables, which may contain a learner's source
    plain = structlog.dev.plain_traceback
    return structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain, pad_event_to=0)
