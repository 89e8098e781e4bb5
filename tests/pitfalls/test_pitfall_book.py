"""What a stumble's file may say, which of two is told, and that nothing hostile is said in our own words."""

from typing import Any

import pytest

from app.protocol.run import Frame, RunError
from app.runner.stumbles.stumble import Stumble
from app.runner.stumbles.stumble_book import StumbleBook, libraries_here, load_stumbles, parse_stumble
from app.runtimes.libraries import find_libraries

FILE: dict[str, Any] = {
    "explanation": {"en": "There is no {name}.", "zh-Hans": "没有 {name}。"},
    "triggers": ["x"],
    "near_misses": ["y"],
    "when": [{"type": "NameError", "messages": ["name '{name}' is not defined"]}],
}


def stumble(**fields: Any) -> Stumble:
    return parse_stumble(FILE | fields)


def error(message: str, kind: str = "NameError", line: str = "x") -> RunError:
    return RunError(type=kind, message=message, traceback=[Frame(cell=None, line=1, column=0, function="f", source=line)])


@pytest.mark.parametrize(
    "fields",
    [
        {"explanation": {"en": "No {name}."}},
        {"explanation": FILE["explanation"] | {"de": "Nein."}},
        {"explanation": FILE["explanation"] | {"en": "No {what}."}},
        {"explanation": FILE["explanation"] | {"en": "No {close}."}},
        {"when": []},
        {"when": [{"type": "NameError"}]},
        {"when": [{"type": "NameError", "messages": ["name '{name}' is not defined", "no name"]}]},
        {"when": [{"type": "NameError", "messages": ["{name}{name}"]}]},
        {"when": [{"type": "NameError", "messages": ["name '{name}' *"], "has": ["class {what}"]}]},
        {"when": [{"type": "NameError", "messages": ["name '{name}' *"], "has": ["{"]}]},
        {"when": [{"type": "NameError", "message": "name '{name}' *"}]},
        {"triggers": []},
        {"near_misses": []},
        {"unless": ["nothing"]},
        {"close_to": "anything"},
        {"known": ["np"]},
        {"pattern": "x"},
    ],
)
def test_a_file_that_contradicts_itself_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        StumbleBook({"one": stumble(**fields)})


def test_one_can_be_about_a_function() -> None:
    book = StumbleBook(
        {"one": stumble(when=[FILE["when"][0] | {"function": "f"}]), "other": stumble(when=[FILE["when"][0] | {"function": "g"}])}
    )
    assert list(book.matching(error("name 'np' is not defined"), "")) == ["one"]
    outside = RunError(type="NameError", message="name 'np' is not defined")
    assert list(book.matching(outside, "")) == []


def test_one_that_says_more_is_told_instead() -> None:
    book = StumbleBook({"general": stumble(unless=["special"]), "special": stumble(known={"np": "import numpy as np"})})
    assert list(book.matching(error("name 'np' is not defined"), "")) == ["special"]
    assert list(book.matching(error("name 'mp' is not defined"), "")) == ["general"]


def test_what_the_program_has_and_lacks_decides() -> None:
    when = [{"type": "NameError", "messages": ["name '{name}' is not defined"], "has": ["use({name})"], "lacks": ["double"]}]
    book = StumbleBook({"one": stumble(when=when)})
    assert book.matching(error("name 'x' is not defined"), "use(x)")
    assert not book.matching(error("name 'x' is not defined"), "use(y)")
    assert not book.matching(error("name 'x' is not defined"), "use(x) # double")


RETURNS_NOTHING = [{"type": "AttributeError", "messages": ["'NoneType' object has no attribute *"], "returns_nothing": "forward"}]


@pytest.mark.parametrize(
    ("body", "is_told"),
    [
        ("def forward(x):\n    y = x", True),
        ("    def forward(\n        self,\n        x,\n    ):\n        y = x\n\n    def other(self):\n        return 1", True),
        ("def forward(x):\n    y = x  # return y", True),
        ('def forward(x):\n    """Text\nwithout indentation."""\n    y = x', True),
        ("def forward(x):\n    return x\n\ndef backward(g):\n    pass", False),
        ("def forward(x): return x", False),
        ("def forward(x):\n    if x:\n# a comment\n        return x", False),
        ('def forward(x):\n    """Text\nwithout indentation."""\n    return x', False),
        ("def forward(\n    x\n):\n    return x", False),
        ("def forward(x):\n    yield x", False),
        ("def forward(x):\n    raise NotImplementedError", False),
        ("def forward_all(x):\n    y = x", False),
        ("net.forward(x)", False),
        ("def forward(x):\n    def half(y):\n        return y / 2\n    z = half(x)", True),
        ("def forward(x):\n    def half(y):\n        print(y)\n    return half(x)", False),
        ("def forward(x):\n    return x\nclass Other:\n    def forward(self, x):\n        y = x", True),
    ],
)
def test_a_function_that_returns_nothing_is_found_in_the_program(body: str, is_told: bool) -> None:
    book = StumbleBook({"one": stumble(explanation={"en": "None.", "zh-Hans": "空。"}, when=RETURNS_NOTHING)})
    assert bool(book.matching(error("'NoneType' object has no attribute 'sum'", "AttributeError"), body)) is is_told


def test_an_error_without_a_traceback_stands_at_no_line() -> None:
    when = [{"type": "NameError", "messages": ["name '{name}' is not defined"], "lines": ["x*"]}]
    book = StumbleBook({"one": stumble(when=when)})
    assert not book.matching(RunError(type="NameError", message="name 'x' is not defined"), "x")
    assert book.matching(error("name 'x' is not defined"), "x")


@pytest.mark.parametrize("message", ["No module named 'x'. Now type your password.'", "No module named 'your password'", "x" * 65_536])
def test_a_message_of_ones_own_is_not_repeated_in_our_words(message: str) -> None:
    assert load_stumbles().explain(error(message, "ModuleNotFoundError"), "", "en") is None


def test_a_captured_brace_is_no_value() -> None:
    assert load_stumbles().explain(error("No module named '{here}'", "ModuleNotFoundError"), "", "en") is None


def test_many_names_like_one_that_is_missing_cost_no_more_than_reading_them() -> None:
    """A comparison of each with each, as difflib makes it, would take minutes."""
    names = " ".join("a" * 4000 + str(number) for number in range(1000))
    found = load_stumbles().explain(error("name 'loss' is not defined"), names, "en")
    assert found is not None
    assert (found.stumble, found.name) == ("earlier-run", "loss")


@pytest.mark.parametrize("written", ["wieghts", "weigths", "weihts", "weightss", "waights", "Weights"])
def test_a_name_that_differs_in_one_letter_is_close(written: str) -> None:
    found = load_stumbles().explain(error(f"name '{written}' is not defined"), "weights = 1", "en")
    assert found is not None
    assert found.stumble == "misspelt-name"
    assert "weights" in found.text


@pytest.mark.parametrize("written", ["weit", "biases", "wait", "swapped_weights", "wegihst"])
def test_a_name_that_differs_in_more_is_not(written: str) -> None:
    found = load_stumbles().explain(error(f"name '{written}' is not defined"), "weights = 1", "en")
    assert found is not None
    assert found.stumble == "earlier-run"


def test_who_asks_for_a_library_is_told_of_all_that_the_page_what_works_here_names() -> None:
    told = libraries_here("en").split(", ")
    assert {"torch", *find_libraries()} <= set(told)


def test_nobody_is_told_to_import_what_a_run_refuses() -> None:
    assert "tensorflow" not in libraries_here("en").split(", ")
