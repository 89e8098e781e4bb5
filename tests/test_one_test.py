"""A question that is asked of many cases in one test is asked of each, and each that fails is named."""

import inspect

import pytest

from tests.one_test import in_one_test


def test_each_case_is_asked_and_those_that_fail_are_named() -> None:
    asked: list[tuple[int, str, bool]] = []

    @in_one_test("number", range(4))
    @in_one_test(("word", "right"), [("a", True), ("b", False)])
    def ask(number: int, word: str, right: bool, tmp_path: str) -> None:
        asked.append((number, word, right))
        assert right or number % 2 == 0

    assert list(inspect.signature(ask).parameters) == ["tmp_path"]
    with pytest.raises(ExceptionGroup, match="2 of 4 cases") as raised:
        ask(tmp_path="")
    assert asked == [(number, word, word == "a") for number in range(4) for word in "ab"]
    assert [failure.__notes__ for failure in raised.value.exceptions] == [["number = 1"], ["number = 3"]]
    inner = raised.value.exceptions[0]
    assert isinstance(inner, ExceptionGroup)
    assert [failure.__notes__ for failure in inner.exceptions] == [["word = 'b', right = False"]]


def test_what_could_not_fail_is_no_test() -> None:
    async def ask(number: int) -> None: ...

    with pytest.raises(AssertionError, match="without cases"):
        in_one_test("number", [])
    with pytest.raises(AssertionError, match="await"):
        in_one_test("number", [1])(ask)


def test_a_case_that_is_skipped_hides_no_other() -> None:
    @in_one_test("number", range(3))
    def ask(number: int) -> None:
        assert number
        pytest.skip("not here") if number == 1 else pytest.fail("wrong")

    with pytest.raises(BaseExceptionGroup, match="3 of 3 cases"):
        ask()
