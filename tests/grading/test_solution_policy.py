"""When a solution may be seen."""

import pytest
from pydantic import ValidationError

from app.grading.solution_policy import BadPolicy, parse_policy
from app.settings import Settings


@pytest.mark.parametrize(
    ("text", "missing"),
    [("always", [0, 0, 0]), ("after-try", [1, 0, 0]), ("after-2-tries", [2, 1, 0]), ("never", [None, None, None])],
)
def test_the_submissions_that_are_missing(text: str, missing: list[int | None]) -> None:
    policy = parse_policy(Settings(solutions=text).solutions)
    assert [policy.missing_tries(tries) for tries in range(3)] == missing


@pytest.mark.parametrize("text", ["", "sometimes", "after-0-tries", "after-1000-tries", "after--1-tries", "never "])
def test_other_words_are_refused_by_both_readers(text: str) -> None:
    with pytest.raises(BadPolicy):
        parse_policy(text)
    with pytest.raises(ValidationError):
        Settings(solutions=text)
