"""Harmless text, plain and in JSON: nothing is left that acts on a terminal or turns a line around, and all else stays."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.protocol.harmless import harmless, harmless_json

HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufdd0-\ufdef\ufffe\uffff]")
HARMFUL_ONES = [chr(code) for code in range(0x10000) if HARMFUL.match(chr(code))]
TEXTS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(HARMFUL_ONES) | st.sampled_from('\\"u0r'))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\r\nb\rc", "a\nb\nc"),
        ("\x00\x1b[2J", "␀␛[2J"),
        ("\x7f\x9b", "␡\ufffd"),
        ("a\ud800b", "a?b"),
        ("\t\n", "\t\n"),
        ("abc\u202edef\u2066", "abc\ufffddef\ufffd"),
        ("👩\u200d💻 क्\u200dष", "👩\u200d💻 क्\u200dष"),
    ],
)
def test_controls_and_turns_are_made_visible(text: str, shown: str) -> None:
    assert harmless(text) == shown


@given(TEXTS)
def test_nothing_harmful_is_left_and_nothing_else_is_touched(text: str) -> None:
    assert not HARMFUL.search(harmless(text))
    if not HARMFUL.search(text):
        assert harmless(text) == text


@given(st.recursive(TEXTS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3)), st.booleans())
def test_in_json_it_is_the_same_for_every_text(value: object, escaped: bool) -> None:
    data = json.dumps(value, ensure_ascii=escaped).encode()
    assert json.loads(harmless_json(data)) == cleaned(value)


def cleaned(value: object) -> object:
    if isinstance(value, dict):
        return {harmless(name): cleaned(inner) for name, inner in value.items()}
    return harmless(value) if isinstance(value, str) else [cleaned(inner) for inner in value]  # type: ignore[attr-defined]


def test_an_escaped_backslash_hides_no_escape() -> None:
    assert harmless_json(rb'"\\u202e \\\u202e \u202E"') == b'"\\\\u202e \\\\\xef\xbf\xbd \xef\xbf\xbd"'


@pytest.mark.parametrize("data", [b"\\", b'"\\u12', b"\xe2\x80", b'{"a": \xff\\r'])
def test_what_is_no_json_raises_nothing(data: bytes) -> None:
    harmless_json(data)
