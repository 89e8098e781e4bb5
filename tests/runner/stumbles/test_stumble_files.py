"""Every common mistake, run for real: its triggers are told so in both languages, and its near misses are not."""

import asyncio
import re

import msgspec
import pytest

from app.locale.messages import LANGS
from app.protocol.event import Ended
from app.protocol.run import Lang, RunError
from app.runner.stumbles.stumble_book import load_stumbles
from tests.programs import Programs, order_of

STUMBLES = load_stumbles().stumbles
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def error_of(programs: Programs, text: str, lang: Lang = "en") -> RunError | None:
    """How a program ended in the real sandbox."""
    last = asyncio.run(programs.collect(msgspec.structs.replace(order_of(text), lang=lang)))[-1]
    assert isinstance(last, Ended), last
    return last.result.error


@pytest.mark.parametrize("name", STUMBLES)
def test_what_triggers_it_is_explained_in_both_languages(programs: Programs, name: str) -> None:
    for text in STUMBLES[name].triggers:
        for lang in LANGS:
            error = error_of(programs, text, lang)
            assert error is not None, text
            assert error.stumble == name, (error, text)
            assert error.explanation
            assert (CHINESE.search(error.explanation) is not None) == (lang == "zh-Hans"), error.explanation
        assert error is not None
        assert list(load_stumbles().matching(error, text)) == [name], text


@pytest.mark.parametrize("name", STUMBLES)
def test_a_near_miss_is_not_taken_for_it(programs: Programs, name: str) -> None:
    for text in STUMBLES[name].near_misses:
        error = error_of(programs, text)
        assert error is None or error.stumble != name, (error, text)


def test_no_explanation_is_longer_than_what_is_read_beside_an_error() -> None:
    for name, stumble in STUMBLES.items():
        assert len(stumble.explanation["en"]) <= 330, name
        assert len(stumble.explanation["zh-Hans"]) <= 200, name
