"""Finds mistakes in the source of a program. Runs in the child."""

from collections.abc import Iterator

from app.pitfalls.syntax.source_rules import find_in_source
from app.runtimes.positions import Sources
from app.runtimes.torch.doctor.found import Found


def find_in_sources(sources: Sources) -> Iterator[Found]:
    """Yield what the rules find in each source, the program's own first."""
    for filename, text in sources.texts():
        for finding in find_in_source(text):
            places = {name: span for name, place in finding.places.items() if (span := sources.span(filename, *place)) is not None}
            yield Found(finding.code, sources.span(filename, *finding.place), finding.values, places)
