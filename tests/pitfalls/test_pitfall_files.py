"""Every common mistake, run for real: its triggers are told so in both languages, and its near misses are not."""

import asyncio
import re

import msgspec
import pytest

from app.protocol.run import Lang, Program, RunError, RunResult, RuntimeName, Source
from app.runner.stumbles.stumble_book import load_stumbles
from tests.programs import Programs, order_of

STUMBLES = load_stumbles().stumbles
QUOTED = re.compile(r'"[^"]*"')  # a string of a program
CHINESE = re.compile(r"[\u4e00-\u9fff]")
each = pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.runtime(one.runtime)) for name, one in STUMBLES.items()])


def error_of(programs: Programs, text: str, runtime: RuntimeName, lang: Lang = "en") -> RunError | None:
    """How a program ended in the real sandbox."""
    last = asyncio.run(programs.collect(msgspec.structs.replace(order_of(text, runtime=runtime), lang=lang)))[-1]
    assert isinstance(last, RunResult), last
    return last.error


@each
def test_what_triggers_it_is_explained_in_both_languages(programs: Programs, name: str) -> None:
    for text in STUMBLES[name].triggers:
        error = error_of(programs, text, STUMBLES[name].runtime, "zh-Hans")
        assert error is not None, text
        english = load_stumbles().explain(error, text, "en")
        assert english is not None, (error, text)
        assert error.explanation
        assert (error.stumble, english.stumble) == (name, name), (error, text)
        assert CHINESE.search(error.explanation), error.explanation
        assert not CHINESE.search(english.text), english.text
        assert list(load_stumbles().matching(error, text)) == [name], text


@each
def test_a_near_miss_is_not_taken_for_it(programs: Programs, name: str) -> None:
    for text in STUMBLES[name].near_misses:
        error = error_of(programs, text, STUMBLES[name].runtime)
        assert error is None or error.stumble != name, (error, text)


@pytest.mark.runtime("jax")
def test_tensorflow_is_refused_in_a_run_with_jax_too(programs: Programs) -> None:
    error = error_of(programs, "import tensorflow as tf", "jax")
    assert error is not None
    assert error.stumble == "tensorflow-elsewhere"


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
    assert (error.stumble, error.name, error.cell, error.line) == ("instantiated", "Square", "use", 1)


def test_what_no_stumble_explains_is_explained_by_its_outcome_alone(programs: Programs) -> None:
    assert [programs.run(text).error.stumble for text in ("1/0", "open('/etc/passwd')", "[0] * 10**10")] == [None, None, None]
    assert programs.run("1/0").error.explanation is None
    assert "The sandbox does not allow this" in programs.run("open('/etc/passwd')").error.explanation


def test_apostrophes_of_explanations_are_curly() -> None:
    found = [name for name, one in STUMBLES.items() if "'" in QUOTED.sub("", one.explanation["en"])]
    assert found == []


def test_no_explanation_is_longer_than_what_is_read_beside_an_error() -> None:
    for name, stumble in STUMBLES.items():
        assert len(stumble.explanation["en"]) <= 330, name
        assert len(stumble.explanation["zh-Hans"]) <= 200, name
