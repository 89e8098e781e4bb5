"""The edits of a pitfall, applied to the program of its page: the program runs, and nothing is found in it any more."""

from itertools import accumulate

import pytest

from app.pitfalls.edits import make_edits
from app.pitfalls.finding import Finding, Place
from app.pitfalls.pitfall_book import load_pitfalls
from app.pitfalls.syntax.source_rules import find_in_source
from app.protocol.records.diagnosis import Diagnosis
from app.protocol.records.record import Span
from tests.pitfalls.test_pitfall_programs import PITFALLS, assert_as_expected, run

MENDED = [
    *("backward-returns-nothing", "detached-backward", "forward-called-directly", "grad-output-mutated", "gradient-for-non-tensor"),
    *("detached-saved", "instantiated", "saved-tensors-not-unpacked", "saved-variables", "wrong-gradient-count"),
]


@pytest.mark.parametrize("code", MENDED)
def test_the_program_is_right_after_the_edits(code: str) -> None:
    text = PITFALLS[code].wrong[0].lstrip()
    assert [finding.code for finding in find_in_source(text)] == [code]
    mended = mend(text, find_in_source(text)[0])
    assert find_in_source(mended) == []
    assert_as_expected(run(mended))


def mend(text: str, finding: Finding) -> str:
    places = {name: span_of(place) for name, place in finding.places.items()}
    diagnosis = Diagnosis(id="diagnosis-1", code=finding.code, severity="error", values=finding.values, places=places)
    edits = make_edits(load_pitfalls().pitfalls[finding.code].edit, diagnosis, lambda span: read(text, span))
    assert edits
    encoded = text.encode()
    for edit in sorted(edits, key=lambda edit: ends_of(text, edit.span), reverse=True):
        start, end = ends_of(text, edit.span)
        encoded = encoded[:start] + edit.text.encode() + encoded[end:]
    return encoded.decode()


def span_of(place: Place) -> Span:
    return Span(line=place.line, column=place.column, end_line=place.end_line, end_column=place.end_column)


def read(text: str, span: Span) -> str:
    start, end = ends_of(text, span)
    return text.encode()[start:end].decode()


def ends_of(text: str, span: Span) -> tuple[int, int]:
    starts = [0, *accumulate(len(line.encode()) for line in text.splitlines(keepends=True))]
    assert span.end_line is not None
    return starts[span.line - 1] + (span.column or 0), starts[span.end_line - 1] + (span.end_column or 0)
