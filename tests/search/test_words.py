"""How texts and queries are split into words."""

import pytest

from app.search.words import QUERY_CHARACTERS, clean_query, list_query_words, split_text


def words_of(query: str) -> list[str]:
    return [word.text for word in list_query_words(clean_query(query))]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("why is my second derivative wrong", ["second", "derivative", "wrong"]),
        ("torch.autograd.grad", ["torch autograd grad", "grad"]),
        ("save_for_backward 怎么用", ["save for backward", "用"]),
        ("二阶导数为什么不对", ["二阶导数", "不对"]),
        ("为什么 grad 是 None", ["grad", "none"]),
        ("the", ["the"]),
        ("的", ["的"]),
        ("ｇｒａｄ　梯度", ["grad", "梯度"]),
        ('"leaf*" OR (x:y)', ["leaf", "x", "y"]),
        ("leaf leaf", ["leaf"]),
        ("", []),
    ],
)
def test_a_query_is_split_into_words_that_tell_something(query: str, words: list[str]) -> None:
    assert words_of(query) == words


def test_only_the_end_of_a_long_query_counts() -> None:
    assert words_of("begin " + "x" * QUERY_CHARACTERS + " end")[-1] == "end"
    assert "begin" not in words_of("begin " + "x" * QUERY_CHARACTERS + " end")


def test_chinese_is_indexed_by_characters_and_names_by_parts() -> None:
    assert split_text("计算图 grad").split() == ["计", "算", "图", "grad"]
    assert split_text("a GradientTape").split() == ["a", "GradientTape", "Gradient", "Tape"]
