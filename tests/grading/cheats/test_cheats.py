"""Programs that try to pass without solving their exercise. None passes, and each would pass without the one defence that it names."""

import functools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from app.protocol.grading import Rubric, Verdict
from app.protocol.limits import Limits
from tests.grading.cheats.cheat import Cheat, load_cheats
from tests.programs import Programs
from tests.sample import sample

LIMITS = Limits(deadline_seconds=1.0)
UNANSWERED = ("gone", "raised", "crashed")  # the beginning of the codes of checks that got no answer
CHEATS = load_cheats()
ALIKE = ("bans", "functions")  # many cheats differ only in how they name what is banned, or where their class has its functions from


def named(*defences: str, all_alike: bool = False) -> pytest.MarkDecorator:
    """Parametrize a test with the cheats against these defences, or with cheats that are alike. Of alike cheats it gets a sample."""
    cheats = [cheat for cheat in CHEATS if any(cheat.without.startswith(defence) for defence in defences)]
    alike = [pytest.param(cheat, id=cheat.name) for cheat in cheats if all_alike or cheat.without in ALIKE]
    others = [pytest.param(cheat, id=cheat.name) for cheat in cheats if not all_alike and cheat.without not in ALIKE]
    return pytest.mark.parametrize("cheat", [*others, *sample(alike)])


@functools.cache
def graded(programs: Programs, name: str) -> Verdict:
    cheat = next(cheat for cheat in CHEATS if cheat.name == name)
    return programs.grade(cheat.source, cheat.exercise, LIMITS)


def test_there_are_at_least_sixty() -> None:
    assert len(CHEATS) >= 60


@named("")
def test_a_cheat_does_not_pass(programs: Programs, cheat: Cheat) -> None:
    verdict = graded(programs, cheat.name)
    assert not verdict.passed, verdict.checks


@named("bans", "functions", "check", "drawn inputs", "double precision", "right and wrong")
def test_it_passes_an_exercise_that_lacks_the_defence(programs: Programs, cheat: Cheat) -> None:
    verdict = programs.grade(cheat.source, cheat.weakened())
    assert verdict.passed, verdict.checks


@pytest.fixture(scope="module")
def judged_in_process(request: pytest.FixtureRequest) -> dict[str, bool]:
    """Return by path whether each cheat that is asked for passes where the process that runs it also checks it."""
    asking = [item for item in request.session.items if isinstance(item, pytest.Function) and "judged_in_process" in item.fixturenames]
    paths = [str(item.callspec.params["cheat"].path) for item in asking]
    command = [sys.executable, "-m", "tests.grading.cheats.in_process", *paths]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=os.environ | {"OMP_NUM_THREADS": "1"})
    verdicts: dict[str, bool] = json.loads(done.stdout.splitlines()[-1])
    return verdicts


@named("second process", "frames", all_alike=True)
def test_it_passes_where_the_judge_lives_in_its_process(judged_in_process: dict[str, bool], cheat: Cheat) -> None:
    assert judged_in_process[str(cheat.path)]


@named("fail closed")
def test_it_passes_where_silence_is_assent(programs: Programs, cheat: Cheat) -> None:
    checks = graded(programs, cheat.name).checks
    refused = [check for check in checks if not check.passed]
    assert refused
    assert all(check.message and check.message.code.startswith(UNANSWERED) for check in refused), refused


@named("second sweep")
def test_a_guess_passes_where_each_function_is_judged_once(cheat: Cheat) -> None:
    namespace: dict[str, Any] = {}
    exec(cheat.source, namespace)
    check: Callable[[object], bool] = namespace["check"]
    assert any(check(None) and not any(check(None) for _ in range(3)) for _ in range(1000))


@pytest.mark.parametrize("exercise", [cheat.exercise for cheat in CHEATS if cheat.name in ("patch_gradcheck", "ban_plain")])
def test_the_solution_of_an_exercise_passes(programs: Programs, exercise: Rubric) -> None:
    verdict = programs.grade(exercise.solution, exercise)
    assert verdict.passed, verdict.checks
