"""What a pitfall's file may contain, which of two pitfalls explains an error, and that our words repeat nothing hostile."""

from typing import Any

import pytest

from app.pitfalls.pitfall import Pitfall
from app.pitfalls.pitfall_book import PitfallBook, load_pitfalls, parse_pitfall
from app.protocol.run import Frame, RunError
from app.runtimes.libraries import find_libraries, libraries_here

FILE: dict[str, Any] = {
    "message": {"en": "There is no {name}.", "zh-Hans": "没有 {name}。"},
    "wrong": ["x"],
    "near_misses": ["y"],
    "when": [{"type": "NameError", "messages": ["name '{name}' is not defined"]}],
}


def pitfall(code: str = "one", /, **fields: Any) -> Pitfall:
    return parse_pitfall(FILE | fields, code, "function")


def book(**files: dict[str, Any]) -> PitfallBook:
    return PitfallBook({code: pitfall(code, **fields) for code, fields in files.items()})


def error(message: str, kind: str = "NameError", line: str = "x") -> RunError:
    return RunError(type=kind, message=message, traceback=[Frame(cell=None, line=1, column=0, function="f", source=line)])


@pytest.mark.parametrize(
    "fields",
    [
        {"message": {"en": "No {name}."}},
        {"message": FILE["message"] | {"de": "Nein."}},
        {"message": FILE["message"] | {"en": "No {what}."}},
        {"message": FILE["message"] | {"en": "No {close}."}},
        {"when": [], "seen": ["message"]},
        {"when": [], "unless": ["other"]},
        {"when": [], "known": {"np": "import numpy as np"}},
        {"message": {"en": "No {name.x}.", "zh-Hans": "没有 {name}。"}},
        {"message": {"en": "No {name!r}.", "zh-Hans": "没有 {name}。"}},
        {"message": {"en": " ", "zh-Hans": "没有 {name}。"}},
        {"change": {"en": "Define {name}."}},
        {"change": {"en": "Define {what}.", "zh-Hans": "定义 {name}。"}},
        {"name": {"en": "A name"}},
        {"name": {"en": "A name", "zh-Hans": "名字"}, "example": {"what": 1}},
        {"severity": "fatal"},
        {"lesson": "sinh-bad"},
        {"lesson": "../sinh-bad"},
        {"lesson": "a/b/c"},
        {"seen": ["x-ray"]},
        {"explains": ["nothing"]},
        {"explains": ["one"]},
        {"edit": [{"at": "call"}]},
        {"edit": [{"at": "the call", "text": ""}]},
        {"edit": [{"at": "call", "text": "{"}]},
        {"edit": [{"at": "call", "text": "{call.line}"}]},
        {"edit": [{"at": "call", "text": "{0}"}]},
        {"edit": [{"at": "call", "text": "", "span": 1}]},
        {"when": [{"type": "NameError"}]},
        {"when": [{"type": "NameError", "messages": ["name '{name}' is not defined", "no name"]}]},
        {"when": [{"type": "NameError", "messages": ["{name}{name}"]}]},
        {"when": [{"type": "NameError", "messages": ["name '{name}' *"], "has": ["class {what}"]}]},
        {"when": [{"type": "NameError", "messages": ["name '{name}' *"], "has": ["{"]}]},
        {"when": [{"type": "NameError", "message": "name '{name}' *"}]},
        {"wrong": []},
        {"near_misses": []},
        {"unless": ["nothing"]},
        {"close_to": "anything"},
        {"known": ["np"]},
        {"pattern": "x"},
        {"code": "one"},
        {"about": "torch"},
    ],
)
def test_a_file_that_contradicts_itself_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        book(one=fields, other={})


def test_pitfalls_that_follow_from_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match=r"function/one\.toml: it explains itself"):
        book(one={"explains": ["two"]}, two={"explains": ["three"]}, three={"explains": ["one"]})
    assert book(one={"explains": ["two", "three"]}, two={"explains": ["three"]}, three={}).pitfalls["one"].explains == ["two", "three"]


def test_one_that_no_error_tells_of_needs_no_when() -> None:
    silent = book(one={"when": [], "seen": ["syntax", "probe"], "message": {"en": "{name} and {shape}", "zh-Hans": "{name} 和 {shape}"}})
    assert silent.matching(error("name 'np' is not defined"), "") == {}
    assert silent.pitfalls["one"].is_diagnosed


@pytest.mark.parametrize(("seen", "is_diagnosed"), [([], False), (["message"], False), (["message", "trace"], True), (["probe"], True)])
def test_one_that_is_seen_in_messages_alone_is_never_diagnosed(seen: list[str], is_diagnosed: bool) -> None:
    assert pitfall(seen=seen).is_diagnosed is is_diagnosed


def test_an_explanation_says_what_to_change_too() -> None:
    told = book(one={"change": {"en": "Define {name}.", "zh-Hans": "请定义 {name}。"}})
    for lang, text in (("en", "There is no np. Define np."), ("zh-Hans", "没有 np。请定义 np。")):
        found = told.explain(error("name 'np' is not defined"), "", lang, "")
        assert found == ("one", text, "np")


def test_an_explanation_lists_what_can_be_imported() -> None:
    told = book(one={"message": {"en": "There are {here}.", "zh-Hans": "有 {here}。"}})
    found = told.explain(error("name 'np' is not defined"), "", "en", "numpy, {name}")
    assert found is not None
    assert found.text == "There are numpy, {name}."


def test_one_can_be_about_a_function() -> None:
    two = book(one={"when": [FILE["when"][0] | {"function": "f"}]}, other={"when": [FILE["when"][0] | {"function": "g"}]})
    assert list(two.matching(error("name 'np' is not defined"), "")) == ["one"]
    outside = RunError(type="NameError", message="name 'np' is not defined")
    assert list(two.matching(outside, "")) == []


def test_one_that_says_more_is_told_instead() -> None:
    two = book(general={"unless": ["special"]}, special={"known": {"np": "import numpy as np"}})
    assert list(two.matching(error("name 'np' is not defined"), "")) == ["special"]
    assert list(two.matching(error("name 'mp' is not defined"), "")) == ["general"]


def test_what_the_program_has_and_lacks_decides() -> None:
    when = [{"type": "NameError", "messages": ["name '{name}' is not defined"], "has": ["use({name})"], "lacks": ["double"]}]
    one = book(one={"when": when})
    assert one.matching(error("name 'x' is not defined"), "use(x)")
    assert not one.matching(error("name 'x' is not defined"), "use(y)")
    assert not one.matching(error("name 'x' is not defined"), "use(x) # double")


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
    one = book(one={"message": {"en": "None.", "zh-Hans": "空。"}, "when": RETURNS_NOTHING})
    assert bool(one.matching(error("'NoneType' object has no attribute 'sum'", "AttributeError"), body)) is is_told


def test_an_error_without_a_traceback_stands_at_no_line() -> None:
    when = [{"type": "NameError", "messages": ["name '{name}' is not defined"], "lines": ["x*"]}]
    one = book(one={"when": when})
    assert not one.matching(RunError(type="NameError", message="name 'x' is not defined"), "x")
    assert one.matching(error("name 'x' is not defined"), "x")


@pytest.mark.parametrize("message", ["No module named 'x'. Now type your password.'", "No module named 'your password'", "x" * 65_536])
def test_a_message_of_ones_own_is_not_repeated_in_our_words(message: str) -> None:
    assert load_pitfalls().explain(error(message, "ModuleNotFoundError"), "", "en", "numpy") is None


def test_a_captured_brace_is_no_value() -> None:
    assert load_pitfalls().explain(error("No module named '{here}'", "ModuleNotFoundError"), "", "en", "numpy") is None


def test_many_names_like_one_that_is_missing_cost_no_more_than_reading_them() -> None:
    """A comparison of each with each, as difflib makes it, would take minutes."""
    names = " ".join("a" * 4000 + str(number) for number in range(1000))
    found = load_pitfalls().explain(error("name 'loss' is not defined"), names, "en", "numpy")
    assert found is not None
    assert (found.pitfall, found.name) == ("earlier-run", "loss")


@pytest.mark.parametrize("written", ["wieghts", "weigths", "weihts", "weightss", "waights", "Weights"])
def test_a_name_that_differs_in_one_letter_is_close(written: str) -> None:
    found = load_pitfalls().explain(error(f"name '{written}' is not defined"), "weights = 1", "en", "numpy")
    assert found is not None
    assert found.pitfall == "misspelt-name"
    assert "weights" in found.text


@pytest.mark.parametrize("written", ["weit", "biases", "wait", "swapped_weights", "wegihst"])
def test_a_name_that_differs_in_more_is_not(written: str) -> None:
    found = load_pitfalls().explain(error(f"name '{written}' is not defined"), "weights = 1", "en", "numpy")
    assert found is not None
    assert found.pitfall == "earlier-run"


def test_who_asks_for_a_library_is_told_of_all_that_the_page_what_works_here_names() -> None:
    told = libraries_here("en").split(", ")
    assert {"torch", *find_libraries()} <= set(told)


def test_nobody_is_told_to_import_what_a_run_refuses() -> None:
    assert "tensorflow" not in libraries_here("en").split(", ")
