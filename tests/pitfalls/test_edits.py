"""The edits of a diagnosis are made of our templates, its values and the program's own text, and of nothing else."""

import time
from typing import Any

import pytest

from app.pitfalls.edits import CHARACTERS, make_edits
from app.pitfalls.pitfall import EditTemplate
from app.protocol.records.diagnosis import EDITS, Diagnosis
from app.protocol.records.record import Span
from app.protocol.run import Program, Source
from app.runner.runs.program_lines import ProgramLines

PROGRAM = "x = 1\nyé = f(x,\n      x)\nreturn x_hat\n"
CALL = Span(line=2, column=5, end_line=3, end_column=8)
FUNCTION = Span(line=2, column=5, end_line=2, end_column=6)
X = Span(line=1, column=0, end_line=1, end_column=1)
END = Span(line=4, column=12, end_line=4, end_column=12)


def edits_of(
    templates: list[tuple[str, str]], places: dict[str, Span], values: dict[str, Any] | None = None, text: str = PROGRAM
) -> list[tuple[Span, str]]:
    diagnosis = Diagnosis(code="c", places=places, values=values or {})
    lines = ProgramLines(Program(source=Source(text=text)))
    lines.check_record(diagnosis)
    made = make_edits([EditTemplate(at=at, text=text) for at, text in templates], diagnosis, lines.read)
    return [(edit.span, edit.text) for edit in made]


def test_what_is_replaced_may_stand_in_what_replaces_it() -> None:
    assert edits_of([("call", "{call}.clone()")], {"call": CALL}) == [(CALL, "f(x,\n      x).clone()")]


def test_values_and_other_places_may_stand_in_it() -> None:
    values = {"name": "apply", "factor": 0.1, "shape": [3]}
    found = edits_of([("x", "{function}.{name}({factor}, {shape}, {{}})")], {"x": X, "function": FUNCTION}, values)
    assert found == [(X, "f.apply(0.1, (3,), {})")]


@pytest.mark.parametrize("indent", ["", "    ", "\t\t", "            "])
def test_a_line_is_added_with_the_indentation_of_its_place(indent: str) -> None:
    place = Span(line=2, column=len(indent), end_line=2, end_column=len(indent) + 6)
    assert edits_of([("statement", "g = g.clone()\n{indent}{statement}")], {"statement": place}, text=f"x\n{indent}g *= 2\n") == [
        (place, f"g = g.clone()\n{indent}g *= 2")
    ]
    after = Span(line=1, column=len(indent) + 6, end_line=1, end_column=len(indent) + 7)
    assert edits_of([("x", "{indent}{x}")], {"x": after}, text=f"{indent}if x: y") == [(after, f"{indent}y")]


def test_a_number_is_written_with_all_its_digits() -> None:
    assert edits_of([("x", "{factor}")], {"x": X}, {"factor": 0.123456789012}) == [(X, "0.123456789012")]


def test_a_value_goes_before_a_place_of_its_name() -> None:
    assert edits_of([("x", "{function}")], {"x": X, "function": FUNCTION}, {"function": "g"}) == [(X, "g")]


def test_places_with_a_number_are_edited_each() -> None:
    places = {"uses_2": END, "uses_10": FUNCTION, "uses_1": X, "uses_01": CALL, "uses_x": CALL}
    assert edits_of([("uses", "<{uses}>")], places) == [(X, "<x>"), (END, "<>"), (FUNCTION, "<f>")]
    assert edits_of([("uses", "y")], {"uses": X, "uses_1": FUNCTION}) == [(X, "y"), (FUNCTION, "y")]


def test_an_edit_whose_place_is_not_there_is_left_out() -> None:
    assert edits_of([("call", "y"), ("x", "z")], {"x": X}) == [(X, "z")]


def test_a_text_that_mentions_what_is_not_there_takes_all_edits_with_it() -> None:
    assert edits_of([("x", "z"), ("call", "{what}")], {"x": X, "call": CALL}) == []


@pytest.mark.parametrize(
    "span", [Span(line=1), Span(line=1, column=0), Span(line=1, column=0, end_line=1), Span(line=1, end_line=1, end_column=1)]
)
def test_a_place_whose_ends_are_not_known_is_none(span: Span) -> None:
    assert edits_of([("x", "z")], {"x": span}) == []
    assert edits_of([("x", "{call}")], {"x": X, "call": span}) == []


INSIDE = Span(line=3, column=6, end_line=3, end_column=7)
BEFORE_X = Span(line=1, column=0, end_line=1, end_column=0)


@pytest.mark.parametrize(("one", "other"), [(CALL, FUNCTION), (CALL, CALL), (END, END), (CALL, INSIDE), (X, BEFORE_X)])
def test_edits_that_overlap_are_none(one: Span, other: Span) -> None:
    assert edits_of([("one", "a"), ("other", "b")], {"one": one, "other": other}) == []
    assert edits_of([("one", "a"), ("other", "b")], {"one": other, "other": one}) == []


def test_edits_that_touch_do_not_overlap() -> None:
    after = Span(line=1, column=1, end_line=1, end_column=2)
    assert edits_of([("one", "a"), ("other", "b")], {"one": after, "other": X}) == [(after, "a"), (X, "b")]


def test_places_of_two_cells_do_not_overlap() -> None:
    one, other = (Span(cell=cell, line=1, column=0, end_line=1, end_column=1) for cell in "ab")
    diagnosis = Diagnosis(code="c", places={"one": one, "other": other})
    lines = ProgramLines(Program(source=Source(text="x", cell="a"), replay=[Source(text="y", cell="b")]))
    made = make_edits([EditTemplate(at="one", text="{other}"), EditTemplate(at="other", text="{one}")], diagnosis, lines.read)
    assert [edit.text for edit in made] == ["y", "x"]


def test_source_that_looks_like_a_hole_is_not_filled() -> None:
    places = {"x": X, "call": Span(line=1, column=0, end_line=1, end_column=6)}
    assert edits_of([("x", "{call}{name}")], places, {"name": "a"}, "{name}") == [(X, "{name}a")]


@pytest.mark.parametrize("text", ["x\x1b[2J", "x\u202e", "x\x00", "x\x0c"])
def test_a_harmful_character_of_the_program_is_not_repeated(text: str) -> None:
    place = Span(line=1, column=0, end_line=1, end_column=len(text))
    assert edits_of([("x", "{x}")], {"x": place}, text=text) == []
    assert edits_of([("x", "y")], {"x": place}, text=text) == [(place, "y")]


def test_line_ends_are_those_of_the_editor() -> None:
    place = Span(line=1, column=0, end_line=2, end_column=1)
    assert edits_of([("x", "{x}")], {"x": place}, text="a\r\nb\r\n") == [(place, "a\nb")]


def test_long_texts_are_none() -> None:
    whole = Span(line=1, column=0, end_line=1, end_column=CHARACTERS)
    assert len(edits_of([("x", "{x}")], {"x": whole}, text="a" * CHARACTERS)) == 1
    assert edits_of([("x", "{x}b")], {"x": whole}, text="a" * CHARACTERS) == []
    ends = {f"x_{number}": Span(line=number + 1, column=0, end_line=number + 1, end_column=0) for number in (1, 2)}
    assert edits_of([("x", "{whole}")], {"whole": whole, **ends}, text="a" * CHARACTERS + "\n\n\n") == []


def test_many_edits_are_none() -> None:
    places = {f"x_{number}": Span(line=1, column=number, end_line=1, end_column=number + 1) for number in range(1, EDITS + 2)}
    assert edits_of([("x", "y")], places, text="x" * 100) == []
    places.popitem()
    assert len(edits_of([("x", "y")], places, text="x" * 100)) == EDITS


def test_hostile_places_cost_no_more_than_reading_the_program_once() -> None:
    text = "a\n" * 30_000
    places = {f"p{number}": Span(line=1 + number, column=0, end_line=30_000, end_column=1) for number in range(32)}
    templates = [(f"p{number}", "".join(f"{{{name}}}" for name in places)) for number in range(32)]
    begun = time.perf_counter()
    assert edits_of(templates, places, text=text) == []
    assert time.perf_counter() - begun < 1
