"""Every pitfall that raises an error, run for real: its wrong programs are explained in both languages, and its near misses are not."""

import asyncio
import re

import msgspec
import pytest

from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.run import Lang, Program, RunError, RunResult, RuntimeName, Source
from app.settings import PROJECT
from tests.one_test import in_one_test
from tests.programs import Programs, order_of
from tests.sample import sample

PITFALLS = load_pitfalls().pitfalls
QUOTED = re.compile(r'"[^"]*"')  # a string of a program
CHINESE = re.compile(r"[\u4e00-\u9fff]")
RAISING = {name: one for name, one in PITFALLS.items() if one.when}
each = pytest.mark.parametrize("name", sample(pytest.param(name, marks=pytest.mark.runtime(one.runtime)) for name, one in RAISING.items()))


def error_of(programs: Programs, text: str, runtime: RuntimeName, lang: Lang = "en") -> RunError | None:
    """Run a program in the real sandbox, and return its error, or None."""
    last = asyncio.run(programs.collect(msgspec.structs.replace(order_of(text, runtime=runtime), lang=lang)))[-1]
    assert isinstance(last, RunResult), last
    return last.error


@each
def test_what_triggers_it_is_explained_in_both_languages(programs: Programs, name: str) -> None:
    explained = []
    for text in PITFALLS[name].wrong:
        error = error_of(programs, text, PITFALLS[name].runtime, "zh-Hans")
        if error is None and PITFALLS[name].is_diagnosed:  # the doctor sees it where PyTorch raises nothing
            continue
        assert error is not None, text
        english = load_pitfalls().explain(error, text, "en", "numpy")
        assert english is not None, (error, text)
        assert error.explanation
        assert (error.pitfall, english.pitfall) == (name, name), (error, text)
        assert CHINESE.search(error.explanation), error.explanation
        assert not CHINESE.search(english.text), english.text
        assert list(load_pitfalls().matching(error, text)) == [name], text
        explained.append(text)
    assert explained


@each
def test_a_near_miss_is_not_taken_for_it(programs: Programs, name: str) -> None:
    for text in PITFALLS[name].near_misses:
        error = error_of(programs, text, PITFALLS[name].runtime)
        assert error is None or error.pitfall != name, (error, text)


@pytest.mark.runtime("jax")
def test_tensorflow_is_refused_in_a_run_with_jax_too(programs: Programs) -> None:
    error = error_of(programs, "import tensorflow as tf", "jax")
    assert error is not None
    assert error.pitfall == "tensorflow-elsewhere"


@pytest.mark.runtime("tensorflow")
@pytest.mark.runtime("jax")
@pytest.mark.parametrize("runtime", ["torch", "tensorflow", "jax"])
def test_torch_and_jax_compute_in_every_run(programs: Programs, runtime: RuntimeName) -> None:
    assert error_of(programs, "import torch\nx = torch.ones(2, requires_grad=True)\nx.exp().sum().backward()", runtime) is None
    assert error_of(programs, "import jax\njax.grad(lambda x: jax.numpy.exp(x).sum())(jax.numpy.ones(2))", runtime) is None


def test_a_class_of_a_cell_that_runs_before_is_seen(programs: Programs) -> None:
    text = "import torch\nclass Square(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return x * x"
    program = Program(source=Source(text="Square(torch.ones(2)).sum()", cell="use"), replay=[Source(text=text, cell="define")])
    error = programs.run("", program=program).error
    assert (error.pitfall, error.name, error.cell, error.line) == ("instantiated", "Square", "use", 1)


def test_what_no_pitfall_explains_is_explained_by_its_outcome_alone(programs: Programs) -> None:
    assert [programs.run(text).error.pitfall for text in ("1/0", "open('/etc/passwd')", "[0] * 10**10")] == [None, None, None]
    assert programs.run("1/0").error.explanation is None
    assert "The sandbox does not allow this" in programs.run("open('/etc/passwd')").error.explanation


@in_one_test("name", PITFALLS)
def test_apostrophes_of_what_is_said_are_curly(name: str) -> None:
    one = PITFALLS[name]
    assert not any("'" in QUOTED.sub("", texts.get("en", "")) for texts in (one.name, one.message, one.change))


@in_one_test("name", PITFALLS)
def test_nothing_said_is_longer_than_what_is_read_beside_an_error(name: str) -> None:
    for texts in (PITFALLS[name].message, PITFALLS[name].change):
        assert len(texts.get("en", "")) <= 330
        assert len(texts.get("zh-Hans", "")) <= 200


@in_one_test("name", PITFALLS)
def test_what_is_said_is_in_the_language_it_is_said_to_be(name: str) -> None:
    pitfall = PITFALLS[name]
    for texts in (pitfall.name, pitfall.message, pitfall.change):
        assert not CHINESE.search(texts.get("en", ""))
    for texts in (pitfall.message, pitfall.change):
        assert not texts or CHINESE.search(texts["zh-Hans"])
    if pitfall.name and not CHINESE.search(pitfall.name["zh-Hans"]):
        assert pitfall.name["zh-Hans"] == pitfall.name["en"]  # a piece of code, as once_differentiable


@in_one_test("name", [name for name, one in PITFALLS.items() if one.lesson])
def test_the_lesson_that_explains_it_is_there(name: str) -> None:
    assert (PROJECT / "lessons" / str(PITFALLS[name].lesson) / "lesson.toml").is_file()
