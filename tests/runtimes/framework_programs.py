"""Runs programs of one framework in confined children of a real runner. If it is not installed, its tests are skipped."""

from typing import Any

import pytest

from app.protocol.limits import Limits
from app.protocol.records.figure import FigureRecord
from app.protocol.records.gradcheck import GradcheckRecord
from app.protocol.records.value import ValueRecord
from app.protocol.run import Program, RuntimeName, Source
from app.runtimes.specs import SPECS
from tests.programs import Programs

SECONDS = 30.0  # the other tests of a session use the processors, too


class FrameworkPrograms:
    """A framework's children. `run` returns the result of a program, with its records decoded."""

    def __init__(self, programs: Programs, runtime: RuntimeName) -> None:
        self._programs = programs
        self._runtime = runtime

    def run(self, text: str, seed: int = 0, instruments: tuple[str, ...] = ()) -> Any:
        program = Program(source=Source(text=text), seed=seed, instruments=list(instruments))
        return self._programs.run(text, Limits(deadline_seconds=SECONDS), program, self._runtime)


def needs(runtime: RuntimeName) -> pytest.MarkDecorator:
    """Return the marks for `pytestmark` of a test module."""
    reason = f"{runtime} IS NOT INSTALLED, so its runtime is not tested: make test EXTRAS={runtime}"
    return pytest.mark.skipif(not SPECS[runtime].installed, reason=reason)


def checks_of(result: Any) -> list[GradcheckRecord]:
    return [record for record in result.records if isinstance(record, GradcheckRecord)]


def values_of(result: Any) -> list[ValueRecord]:
    return [record for record in result.records if isinstance(record, ValueRecord)]


def figures_of(result: Any) -> list[FigureRecord]:
    return [record for record in result.records if isinstance(record, FigureRecord)]
