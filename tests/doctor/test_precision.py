"""No error and no warning about what is right: near misses, correct Functions and programs of all kinds."""

import pytest

from tests.doctor.score import FOLDER, paths_of, score
from tests.runtimes.children import Children
from tests.sample import sample

NAMES = [str(path.relative_to(FOLDER).with_suffix("")) for path in paths_of("correct")]


@pytest.mark.parametrize("name", sample(NAMES))
def test_nothing_is_said_of_what_is_right(children: Children, name: str) -> None:
    assert score(children, (FOLDER / name).with_suffix(".py")).loud == []


def test_there_are_as_many_correct_programs_as_were_promised() -> None:
    assert len([name for name in NAMES if name.startswith("correct/")]) == 150
