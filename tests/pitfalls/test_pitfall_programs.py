"""The programs of the pitfalls about Functions and autograd: what is wrong shows when they run, and what is right is right."""

import contextlib
import gc
import io
import re
import sys
import types
import warnings
from collections.abc import Iterator

import pytest

from app.pitfalls.pitfall import Pitfall
from app.pitfalls.pitfall_book import load_pitfalls
from app.pitfalls.syntax.source_rules import find_in_source
from app.pitfalls.template import list_holes
from app.protocol.run import Lang
from app.web.views.lesson.demonstration import read_source
from tests.doctor.test_programs import CODES
from tests.one_test import in_one_test

PITFALLS = {code: pitfall for code, pitfall in load_pitfalls().pitfalls.items() if pitfall.about in {"function", "torch"}}
SILENT = [code for code, pitfall in PITFALLS.items() if not pitfall.when and code not in {"saved-twice", "compile-drops-backward"}]
MOST_LINES = 25
MOST_CHARACTERS: dict[Lang, int] = {"en": 330, "zh-Hans": 200}
SAYS_NOTHING = re.compile(r"(?<!often )(?:without an error|no error)")
SHOWN = re.compile(r"got (.*?) expected (.*)")
COMPARED = ["function", "input", "expected", "got", "index"]
VALUES = {
    "intermediate-saved": ["function", "name", "source", "gradient", "line"],
    "closure-tensor": ["function", "name"],
    "tensors-in-container": ["function", "name"],
    "ctx-input-mutated": ["function", "name"],
    "output-on-ctx": ["function", "name"],
    "kept-after-backward": ["function", "name"],
    "option-ignored-in-backward": ["function", "option", "input"],
    "below-tolerance": ["function", "input"],
    "needs-input-grad-ignored": ["function", "input"],
    "wrong-second-gradient": ["function", "input"],
    "kink": ["function", "input"],
    "surrogate-gradient": ["function", "input"],
    "clipped-gradient": ["function", "input"],
    "reversed-gradient": ["function", "input"],
    "scaled-gradient": ["function", "input"],
    "stopped-gradient": ["function", "input"],
    "gradient-of-unused": ["function", "input"],
    "wrong-dtype": ["function", "input", "dtype", "other_dtype"],
    "wrong-shape": ["function", "input", "shape", "other_shape"],
    "output-not-marked": ["function", "output"],
    "wrong-gradient-count": ["function", "count", "expected_count"],
    "grad-accumulated": ["count"],
    "wrong-sign": COMPARED,
    "wrong-factor": COMPARED,
    "transposed-gradient": COMPARED,
    "missing-sum": COMPARED,
    "mean-for-sum": COMPARED,
    "gradients-swapped": COMPARED,
    "zero-gradient": COMPARED,
    "missing-term": COMPARED,
    "conjugate-missing": COMPARED,
    "accumulation-lost": COMPARED,
    "wrong-gradient": COMPARED,
    "detached-saved": ["function", "name"],
    "wrong-name": [*COMPARED, "name", "other"],
    "wrong-index": [*COMPARED, "number", "other_number"],
    "wrong-constant": [*COMPARED, "number", "other_number"],
    "parts-swapped": COMPARED,
}
"""The values that a diagnosis has, whoever finds it. Every other one has the name of its Function, if it is about one."""

each = pytest.mark.parametrize("code", list(PITFALLS))
for_each = in_one_test("code", PITFALLS)


def run(text: str) -> str:
    """Run a program as a main program in this process, and return what it prints."""
    main, before, output = types.ModuleType("__main__"), sys.modules["__main__"], io.StringIO()
    sys.modules["__main__"] = main
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(output), collection_as_before():
            warnings.simplefilter("ignore")
            exec(compile(text, "program.py", "exec"), vars(main))
    finally:
        sys.modules["__main__"] = before
    return output.getvalue()


@contextlib.contextmanager
def collection_as_before() -> Iterator[None]:
    """Restore the garbage collection, which some programs switch off to show a cycle."""
    enabled = gc.isenabled()
    try:
        yield
    finally:
        (gc.enable if enabled else gc.disable)()


def test_every_row_of_the_catalogue_has_a_page() -> None:
    assert [code for code in CODES if code not in PITFALLS] == []


@for_each
def test_a_page_has_a_title_a_right_form_and_a_way_in_which_it_is_seen(code: str) -> None:
    pitfall = PITFALLS[code]
    assert pitfall.name
    assert pitfall.right is not None
    assert pitfall.seen
    assert pitfall.change or pitfall.seen == ["message"]


@for_each
def test_the_program_of_a_page_is_short(code: str) -> None:
    assert all(len(text.strip().splitlines()) <= MOST_LINES for text in (PITFALLS[code].wrong[0], PITFALLS[code].right or ""))


@each
def test_the_right_form_runs_and_shows_what_is_expected(code: str) -> None:
    assert_as_expected(run(right_form(PITFALLS[code])))


@pytest.mark.parametrize("code", SILENT)
def test_what_is_silent_raises_nothing_and_prints_something_else(code: str) -> None:
    pitfall = PITFALLS[code]
    wrong, right = run(pitfall.wrong[0]), run(right_form(pitfall))
    assert wrong
    assert wrong != right or pitfall.severity == "hint"
    assert not any(got == expected for got, expected in SHOWN.findall(wrong)[-1:])


@pytest.mark.parametrize("code", [code for code, pitfall in PITFALLS.items() if SAYS_NOTHING.search(pitfall.message["en"])])
def test_no_program_raises_where_the_words_say_that_there_is_no_error(code: str) -> None:
    """`run` fails if one does. A pitfall whose words say "often" has programs of both sorts."""
    for text in PITFALLS[code].wrong if code in SILENT else []:
        run(text)


@pytest.mark.parametrize(("loss", "is_silent"), [("grad_x.sum()", False), ("(grad_x + out).pow(2).sum()", True)])
def test_a_second_derivative_of_a_saved_intermediate_raises_or_is_silently_wrong(loss: str, is_silent: bool) -> None:
    """Whether PyTorch reports it depends on the loss, so the words say "often"."""
    program = read_source().partition("make_dot(")[0].replace("from torchviz import make_dot\n", "")
    text = f"{program}\n(second,) = grad({loss}, x)\n"
    if is_silent:
        run(text)
    else:
        with pytest.raises(RuntimeError, match="does not require grad"):
            run(text)
    for lang, word in (("en", "often"), ("zh-Hans", "往往")):
        assert word in PITFALLS["intermediate-saved"].message[lang]


@pytest.mark.parametrize("code", SILENT)
def test_a_near_miss_is_right(code: str) -> None:
    for text in PITFALLS[code].near_misses:
        assert_as_expected(run(text))


@for_each
def test_nothing_is_found_in_the_source_of_what_is_right(code: str) -> None:
    pitfall = PITFALLS[code]
    for text in (right_form(pitfall), *(pitfall.near_misses if code in SILENT else [])):
        assert [finding.code for finding in find_in_source(text.lstrip())] == []


@for_each
def test_the_words_mention_values_that_every_diagnosis_has(code: str) -> None:
    pitfall = PITFALLS[code]
    mentioned = frozenset[str]().union(*(list_holes(text) for text in (*pitfall.message.values(), *pitfall.change.values())))
    if pitfall.is_diagnosed:
        assert mentioned <= set(VALUES.get(code, ["function"]))


@for_each
def test_both_languages_mention_the_same_values(code: str) -> None:
    pitfall = PITFALLS[code]
    for texts in (pitfall.message, pitfall.change):
        assert len({list_holes(text) for text in texts.values()}) <= 1


@for_each
def test_a_text_is_no_longer_than_what_is_read_beside_a_program(code: str) -> None:
    pitfall = PITFALLS[code]
    for lang, most in MOST_CHARACTERS.items():
        lengths = [len(texts[lang].strip()) for texts in (pitfall.message, pitfall.change) if texts]
        assert sum(lengths) <= most


def right_form(pitfall: Pitfall) -> str:
    assert pitfall.right is not None
    return pitfall.right


def assert_as_expected(output: str) -> None:
    for got, expected in SHOWN.findall(output):
        assert numbers_of(got) == pytest.approx(numbers_of(expected), abs=1e-3)


def numbers_of(text: str) -> list[float]:
    return [float(each) for each in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text)]
