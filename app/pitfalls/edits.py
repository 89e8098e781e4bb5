"""Makes the edits that mend a program, from our templates, the values of a diagnosis and the program's own text.

The values and places come from a learner's process. If they contradict each other, no edit is made at all, rather than half a change.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise

from app.pitfalls.pitfall import EditTemplate
from app.pitfalls.template import fill, list_holes
from app.protocol.harmless import harmless
from app.protocol.records.diagnosis import EDITS, Diagnosis, Edit
from app.protocol.records.record import Span

CHARACTERS = 65_536  # the most characters of all edits of a diagnosis together
ReadText = Callable[[Span], str]
"""Returns the program's text at a span whose ends are both known."""


def make_edits(templates: Iterable[EditTemplate], diagnosis: Diagnosis, read_text: ReadText) -> list[Edit]:
    """Return the edits. A template whose place the diagnosis lacks makes none.

    The list is empty if a text mentions what the diagnosis lacks, if two edits overlap, if they are too many or too long, or if one would
    contain characters that are not harmless.
    """
    places = {name: span for name, span in diagnosis.places.items() if None not in (span.column, span.end_line, span.end_column)}
    values = {name: write(value) for name, value in diagnosis.values.items()}
    read = cache(read_text)
    edits: list[Edit] = []
    characters = 0
    for template in templates:
        for span in _find_places(template.at, places):
            texts = {name: read(place) for name in list_holes(template.text) if (place := places.get(name)) is not None}
            try:
                text = fill(template.text, {"indent": _read_indent(span, read), **texts, **values, template.at: read(span)})
            except KeyError:
                return []
            characters += len(text)
            if len(edits) == EDITS or characters > CHARACTERS or harmless(text) != text:
                return []
            edits.append(Edit(span=span, text=text))
    return [] if _overlap(edits) else edits


def write(value: object) -> str:
    """Return a value as it is written in a program."""
    if isinstance(value, list):
        return f"({', '.join(map(str, value))}{',' if len(value) == 1 else ''})"
    return str(value)


def _read_indent(span: Span, read_text: ReadText) -> str:
    """Return the white space at the beginning of the line in which the span begins."""
    before = read_text(Span(cell=span.cell, line=span.line, column=0, end_line=span.line, end_column=span.column))
    return before[: len(before) - len(before.lstrip())]


def _find_places(at: str, places: Mapping[str, Span]) -> Iterator[Span]:
    """Yield the place of this name, and those of this name with a number, in the order of their numbers."""
    if at in places:
        yield places[at]
    numbers = [int(found[1]) for name in places if (found := re.fullmatch(rf"{at}_([1-9][0-9]{{0,3}})", name))]
    for number in sorted(numbers):
        yield places[f"{at}_{number}"]


def _overlap(edits: Iterable[Edit]) -> bool:
    """Return whether two edits share a character, or begin at the same place, so that their order is unclear."""
    spans = sorted(map(_ends, edits))
    return any(one[0] == other[0] and (other[1] < one[2] or other[1] == one[1]) for one, other in pairwise(spans))


def _ends(edit: Edit) -> tuple[str, tuple[int, int], tuple[int, int]]:
    span = edit.span
    return span.cell or "", (span.line, span.column or 0), (span.end_line or span.line, span.end_column or 0)
