"""The published tutorials' programs through the real sandbox: the right ones run, and what is wrong with the others is told.

Each wrong one ends in a comparison that fails or in an error that is explained, except those that pasted.toml calls silent: at most a
warning of PyTorch shows their faults. For each program there is a lesson that answers it.
"""

from typing import Any

import pytest

from app.lessons.course.catalogue import Catalogue
from app.protocol.outcome import Outcome
from app.protocol.records.graph import GraphRecord
from app.settings import PROJECT
from tests.one_test import in_one_test
from tests.own_course import load_own_course
from tests.programs import Programs
from tests.runner.pasted.pasted import PROGRAMS, Pasted, PastedGraph, load_pasted
from tests.sample import sample

PASTED = load_pasted()
RIGHT, WRONG = ([one for one in PASTED if one.kind == kind] for kind in ("right", "wrong"))
SILENT = {
    *("constant_learnt", "gradient_of_intermediate", "leaky_relu_where"),
    *("jax_arguments_swapped", "legendre_not_zeroed", "relu_in_place", "sinh_bad_squared"),
}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_own_course()


def each(pasted: list[Pasted]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "one", sample(pytest.param(one, id=one.name, marks=pytest.mark.runtime(one.expected.runtime)) for one in pasted)
    )


@each(RIGHT)
def test_a_right_program_runs_and_shows_what_it_should(programs: Programs, one: Pasted) -> None:
    result = programs.run(one.source, runtime=one.expected.runtime)
    assert (result.outcome, result.error) == (Outcome.FINISHED, None)
    check_shown(result, one)


@each(WRONG)
def test_the_fault_of_a_wrong_program_is_told(programs: Programs, one: Pasted) -> None:
    result = programs.run(one.source, runtime=one.expected.runtime)
    error = result.error
    assert result.outcome == one.expected.outcome
    assert (error.pitfall if error else None) == one.expected.pitfall, error
    assert (error is not None and error.explanation is not None) == (one.expected.pitfall is not None), error
    check_shown(result, one)


def test_which_faults_nothing_tells_of_is_known() -> None:
    """If a fault is new here, explain it, or list it here as not explained."""
    assert {one.name for one in WRONG if one.expected.silent} == SILENT
    assert {one.name for one in WRONG if not one.expected.is_told} == SILENT
    assert not any(one.expected.silent or one.expected.is_told for one in RIGHT)


def test_every_program_of_the_folder_is_in_the_table() -> None:
    assert {(path.parent.name, path.stem) for path in PROGRAMS.glob("*/*.py")} == {(one.kind, one.name) for one in PASTED}


@in_one_test("one", PASTED)
def test_it_has_a_lesson_that_answers_it(catalogue: Catalogue, one: Pasted) -> None:
    path = one.expected.lesson
    if not catalogue.planned_title(path, "en"):
        assert catalogue.lesson(path) is not None, path
        files = [file for file in (PROJECT / "lessons" / path).rglob("*") if file.suffix in (".md", ".toml", ".py")]
        assert any(one.expected.answer in file.read_text(encoding="utf-8") for file in files), path


def check_shown(result: Any, one: Pasted) -> None:
    assert [record.name for record in result.records] == one.expected.records
    for text in one.expected.prints:
        assert text in result.stdout
    graphs = [shape_of(record) for record in result.records if isinstance(record, GraphRecord)]
    assert graphs == ([one.expected.graph] if one.expected.graph else [])


def shape_of(graph: GraphRecord) -> PastedGraph:
    reached = {end for edge in graph.edges for end in (edge.source, edge.target)}
    isolated = [node.name or node.label for node in graph.nodes if node.id not in reached]
    return PastedGraph(nodes=len(graph.nodes), edges=len(graph.edges), isolated=isolated)
