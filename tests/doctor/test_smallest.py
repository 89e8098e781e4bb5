"""Each pitfall's smallest program, run as a learner's: the doctor finds the pitfall, and nothing in the right form."""

import pytest

from app.pitfalls.pitfall import Pitfall
from app.pitfalls.pitfall_book import load_pitfalls, show_value
from app.pitfalls.template import list_holes
from app.protocol.records.diagnosis import Diagnosis
from app.protocol.run import Program, Source
from tests.one_test import in_one_test
from tests.runtimes.children import Children, Ended
from tests.sample import sample

PITFALLS = {code: each for code, each in load_pitfalls().pitfalls.items() if each.name and each.runtime == "torch" and each.wrong}
RIGHT = [code for code, each in PITFALLS.items() if each.right]


def diagnose(children: Children, text: str) -> tuple[Ended, dict[str, Diagnosis]]:
    ended = children.run_program(Program(source=Source(text=text.strip("\n")), instruments=["trace", "doctor"]))
    return ended, {each.code: each for each in ended.records if isinstance(each, Diagnosis)}


def holes_of(pitfall: Pitfall) -> set[str]:
    """Return the names of the values that the pitfall's words mention."""
    return {hole for texts in (pitfall.message, pitfall.change) for text in texts.values() for hole in list_holes(text)}


@pytest.mark.parametrize("code", sample(PITFALLS))
def test_the_smallest_program_is_found_under_its_own_code_with_the_values_of_its_page(children: Children, code: str) -> None:
    pitfall = PITFALLS[code]
    ended, found = diagnose(children, pitfall.wrong[0])
    captured = pitfall.match(ended.over.error, pitfall.wrong[0]) if ended.over.error else None
    assert code in found or captured is not None, list(found)
    values = {**(captured or {}), **(found[code].values if code in found else {})}
    for name, value in pitfall.example.items():
        assert show_value(values[name]) == show_value(value), name


@in_one_test("code", PITFALLS)
def test_each_value_that_its_words_mention_has_an_example(code: str) -> None:
    assert holes_of(PITFALLS[code]) <= PITFALLS[code].example.keys()


@pytest.mark.parametrize("code", sample(RIGHT))
def test_the_right_form_gets_no_error_and_no_warning(children: Children, code: str) -> None:
    _, found = diagnose(children, PITFALLS[code].right or "")
    assert [each for each in found if each != code or PITFALLS[code].severity != "hint"] == []


def test_tensors_in_a_list_are_named_as_forward_names_the_list(children: Children) -> None:
    _, found = diagnose(children, PITFALLS["tensors-in-container"].wrong[0])
    assert found["tensors-in-container"].values["name"] == "tensors"
