"""How texts are split into words, and how a word that is misspelt by a letter is corrected."""

import pytest

from app.search.words import mend, split_text

COUNTS = {"jacobian": 5, "gradcheck": 9, "leaf": 2, "leaves": 7}


def test_chinese_is_indexed_by_characters_and_names_by_parts() -> None:
    assert split_text("计算图 grad").split() == ["计", "算", "图", "grad"]
    assert split_text("a GradientTape").split() == ["a", "GradientTape", "Gradient", "Tape"]


@pytest.mark.parametrize(
    ("word", "meant"), [("jacobain", "jacobian"), ("gradchek", "gradcheck"), ("gradccheck", "gradcheck"), ("lesf", "leaf")]
)
def test_one_letter_is_mended(word: str, meant: str) -> None:
    assert mend(word, COUNTS) == meant


@pytest.mark.parametrize("word", ["jcobain", "lef", "", "x" * 5000, "梯度检查"])
def test_more_than_a_letter_is_not_nor_a_short_word(word: str) -> None:
    assert mend(word, COUNTS) is None


def test_the_more_frequent_word_is_meant() -> None:
    assert mend("loaf", {"leaf": 2, "load": 5}) == "load"
