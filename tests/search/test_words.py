"""How texts are split into words."""

from app.search.words import split_text


def test_chinese_is_indexed_by_characters_and_names_by_parts() -> None:
    assert split_text("计算图 grad").split() == ["计", "算", "图", "grad"]
    assert split_text("a GradientTape").split() == ["a", "GradientTape", "Gradient", "Tape"]
