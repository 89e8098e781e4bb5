"""No error and no warning about what is right: near misses, correct Functions and programs of all kinds."""

import pytest

from tests.doctor.score import FOLDER, paths_of, score
from tests.runtimes.children import Children

NAMES = [str(path.relative_to(FOLDER).with_suffix("")) for path in paths_of("correct")]
USUAL = [name for number, name in enumerate(NAMES) if number % 5 == 0 or not name.startswith("correct/")]


def check(children: Children, name: str) -> None:
    scored = score(children, (FOLDER / name).with_suffix(".py"))
    assert scored.loud == []


@pytest.mark.parametrize("name", USUAL)
def test_nothing_is_said_of_what_is_right(children: Children, name: str) -> None:
    check(children, name)


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in NAMES if name not in USUAL])
def test_nothing_is_said_of_the_other_correct_programs(children: Children, name: str) -> None:
    check(children, name)


def test_there_are_as_many_correct_programs_as_were_promised() -> None:
    assert len([name for name in NAMES if name.startswith("correct/")]) == 150
    assert len(USUAL) > 100
