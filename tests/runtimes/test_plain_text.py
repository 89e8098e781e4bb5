"""Texts of a learner's objects are bounded, and UTF-8 can encode them."""

import pytest

from app.runtimes.plain_text import plain


@pytest.mark.parametrize("text", ["a" * 50, "\ud800" * 50, "é\ud800" * 4, "\U0001f600" * 50, "\ud800"])
def test_a_text_is_no_longer_than_it_may_be_whatever_is_in_it(text: str) -> None:
    shortened = plain(text, 10)
    assert len(shortened) <= 10
    assert shortened.encode()


def test_a_text_that_fits_stays_as_it_is() -> None:
    assert plain("é" * 10, 10) == "é" * 10
    assert plain("\ud800", 10) == "\\ud800"
