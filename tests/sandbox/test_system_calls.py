"""The compiled filter, the flags that the kernel knows, and the table of docs/sandbox-calls.md agree, argument by argument."""

import re
from itertools import chain
from pathlib import Path

import pytest

from app.sandbox.confinement.seccomp import ARCHITECTURES, export, make_filter, number_of
from app.sandbox.confinement.system_calls import list_rules
from tests.one_test import in_one_test
from tests.sandbox.bpf import ALLOW, Call, Filter
from tests.sandbox.call_flags import PLAIN, list_flags

TABLE = Path(__file__).resolve().parents[2] / "docs" / "sandbox-calls.md"
ROWS = [
    [set(re.findall(r"`([^`]+)`", cell)) for cell in line.split("|")[1:4]] for line in TABLE.read_text().splitlines() if line[:3] == "| `"
]


def allowed_calls(machine: str) -> set[str]:
    return {rule.name for rule in list_rules(True, True, ARCHITECTURES[machine]) if rule.error is None}


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_each_allowed_call_is_in_one_row_of_the_table(machine: str) -> None:
    rows = list(chain.from_iterable(calls for calls, _, _ in ROWS))
    assert sorted(rows) == sorted(allowed_calls(machine))


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_of_each_allowed_call_it_is_known_what_its_arguments_ask_for(machine: str) -> None:
    flags = list_flags(machine)
    assert PLAIN | flags.keys() == allowed_calls(machine)
    assert not PLAIN & flags.keys()


@pytest.mark.parametrize("machine", ARCHITECTURES)
@in_one_test(("calls", "refused", "allowed"), ROWS)
def test_the_filter_answers_each_flag_as_the_table_says(machine: str, calls: set[str], refused: set[str], allowed: set[str]) -> None:
    architecture = ARCHITECTURES[machine]
    compiled = Filter(export(make_filter(list_rules(True, True, architecture), architecture)))
    flags = list_flags(machine)
    asked = {name: [one for one in flags.get(name, []) if number_of(name, architecture) is not None] for name in calls}
    answers = {
        (name, one.name): compiled.answer(Call(architecture, number_of(name, architecture) or 0, one.arguments)) == ALLOW
        for name, ones in asked.items()
        for one in ones
    }
    assert {flag for (_, flag), answer in answers.items() if not answer} == (refused if answers else set())
    assert {flag for (_, flag), answer in answers.items() if answer} == (allowed if answers else set())


def test_every_flag_that_is_known_is_asked_about() -> None:
    """A row may have no call of this architecture, but every flag must be tested on one of the two."""
    asked = {
        one.name for machine in ARCHITECTURES for name, ones in list_flags(machine).items() for one in ones if number_of(name) is not None
    }
    assert asked == set(chain.from_iterable(refused | allowed for _, refused, allowed in ROWS))
