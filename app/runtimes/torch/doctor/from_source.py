"""Finds mistakes in the source of a program. Runs in the child."""

from collections.abc import Iterator

from app.pitfalls.finding import Place
from app.pitfalls.syntax.source_rules import find_in_source
from app.protocol.records.record import Span
from app.runtimes.positions import Sources
from app.runtimes.torch.doctor.found import Found


def find_in_sources(sources: Sources) -> Iterator[Found]:
    """Yield what the rules find in each source, the program's own first."""
    for filename, text in sources.texts():
        for finding in find_in_source(text):
            places = {name: span for name, place in finding.places.items() if (span := span_of(sources, filename, place)) is not None}
            yield Found(finding.code, span_of(sources, filename, finding.place), finding.values, places)


def span_of(sources: Sources, filename: str, place: Place) -> Span | None:
    return sources.span(filename, place.line, place.column, place.end_line, place.end_column)
