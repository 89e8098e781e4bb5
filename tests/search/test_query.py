"""How a query is split into words."""

import pytest

from app.pitfalls.pitfall_search import PASTED_CHARACTERS
from app.search.query import parse_query


def words_of(query: str) -> list[str]:
    return [word.text for word in parse_query(query).words]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("why is my second derivative wrong", ["second", "derivative", "wrong", "second derivative", "derivative wrong"]),
        ("torch.autograd.grad", ["torch autograd grad", "grad", "torch autograd grad grad"]),
        ("save_for_backward 怎么用", ["save for backward", "用"]),
        ("二阶导数为什么不对", ["二阶导数", "不对"]),
        ("为什么 grad 是 None", ["grad", "none"]),
        ("the", ["the"]),
        ("的", ["的"]),
        ("ｇｒａｄ　梯度", ["grad", "梯度"]),
        ('"leaf*" OR (x:y)', ["leaf", "x", "y", "x y"]),
        ("leaf leaf", ["leaf", "leaf leaf"]),
        ("", []),
    ],
)
def test_a_query_is_split_into_words_that_tell_something(query: str, words: list[str]) -> None:
    assert words_of(query) == words


def test_only_the_end_of_a_long_query_counts() -> None:
    assert words_of("begin " + "x" * PASTED_CHARACTERS + " end")[1] == "end"
    assert "begin" not in words_of("begin " + "x" * PASTED_CHARACTERS + " end")


def test_every_piece_of_a_long_query_is_written_in_ordinary_letters() -> None:
    assert parse_query("ｇ" * 999).text == "g" * 999
    assert len(parse_query("a" + "\u0301\u0316" * 3000).text) == PASTED_CHARACTERS


def test_a_query_is_never_longer_than_its_cap() -> None:
    assert len(parse_query("\ufdfa" * 10_000).text) <= PASTED_CHARACTERS
