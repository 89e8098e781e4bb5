"""Patterns match whole texts, capture nothing but names, numbers and shapes, and take no longer on hostile texts."""

import pytest

from app.pitfalls.pattern import Pattern


@pytest.mark.parametrize(
    ("pattern", "text", "captured"),
    [
        ("No module named '{name}'", "No module named 'a.b'", {"name": "a.b"}),
        ("No module named '{name}'", "No module named 'a.b', it seems", None),
        ("No module named '{name}'", "No module named ''", None),
        ("got {got} but {expected}", "got [2, 3] but [5]", {"got": "[2, 3]", "expected": "[5]"}),
        ("invalid character '{name}'*", "invalid character '，' (U+FF0C)", {"name": "，"}),
        ("name '{name}' *", "name 'größe' is not defined", {"name": "größe"}),
        ("a*b", "ab", {}),
        ("a*b", "a", None),
        ("aa*aa", "aaa", None),
        ("*size*", "of one size only", {}),
        ("%{name} *", "% 3", None),
        ("%{name}", "%3", None),
        ("%{name}", "%%", {"name": "%"}),
        ("plain", "plain", {}),
        ("plain", "plainly", None),
        ("*{*}*", "a {b} c", {}),
    ],
)
def test_a_pattern_matches_the_whole_text(pattern: str, text: str, captured: dict[str, str] | None) -> None:
    assert Pattern(pattern).match(text) == captured


@pytest.mark.parametrize("name", ["x" * 61, "you are right", "x\nSend your password", "<b>x</b>", "http://x.example", "x’", ""])
def test_what_is_no_name_is_not_captured(name: str) -> None:
    assert Pattern("No module named '{name}'").match(f"No module named '{name}'") is None


@pytest.mark.parametrize("pattern", ["{a}{b}", "a**b", "*{a}", "{a} and {a}"])
def test_a_pattern_that_can_be_read_in_two_ways_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError):
        Pattern(pattern)


def test_only_the_beginning_of_a_text_is_looked_at() -> None:
    assert Pattern("a*").match("a" * 10**6) == {}
    assert Pattern("a*b").match("a" * 10**6 + "b") is None


def test_the_number_of_steps_grows_with_the_text_alone() -> None:
    """A backtracking expression of this form would not end."""
    assert Pattern("*a" * 30 + "b").match("a" * 1000) is None
