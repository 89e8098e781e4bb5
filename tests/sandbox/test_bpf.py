"""The compiled filter answers every call as it should, and the check finds filters that are weaker."""

import os
import struct

import pyseccomp
import pytest

from app.sandbox.confinement.seccomp import ARCHITECTURES, compile_filter, export, make_filter, number_of
from app.sandbox.confinement.system_calls import list_rules
from tests.sandbox.bpf import ALLOW, ERRNO, KILL_PROCESS, Call, Filter, UnknownInstruction
from tests.sandbox.filter_check import FilterWrong, check_filter

X86_64 = ARCHITECTURES["x86_64"]


def instruction(code: int, if_true: int, if_false: int, operand: int) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, operand)


def test_a_filter_is_carried_out_as_the_kernel_does() -> None:
    program = b"".join(
        [
            instruction(0x20, 0, 0, 0),  # load the number
            instruction(0x15, 0, 1, 39),  # is it 39?
            instruction(0x06, 0, 0, ALLOW),
            instruction(0x20, 0, 0, 16),  # load the lower half of the first argument
            instruction(0x54, 0, 0, 0xF0),  # and
            instruction(0x45, 0, 1, 0x10),  # is the bit set?
            instruction(0x06, 0, 0, KILL_PROCESS),
            instruction(0x06, 0, 0, ERRNO | 1),
        ]
    )
    compiled = Filter(program)
    assert compiled.answer(Call(X86_64, 39)) == ALLOW
    assert compiled.answer(Call(X86_64, 40, (0x1F,))) == KILL_PROCESS
    assert compiled.answer(Call(X86_64, 40, (0x10F,))) == ERRNO | 1


def test_an_instruction_that_is_not_known_is_not_passed_over() -> None:
    with pytest.raises(UnknownInstruction):
        Filter(instruction(0x99, 0, 0, 0) + instruction(0x06, 0, 0, ALLOW)).answer(Call(X86_64, 1))


@pytest.mark.parametrize("may", [(True, True), (True, False), (False, False)])
@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_the_filter_answers_every_call_as_it_was_written(machine: str, may: tuple[bool, bool]) -> None:
    architecture = ARCHITECTURES[machine]
    check_filter(export(make_filter(list_rules(*may, architecture), architecture)), machine, *may)


@pytest.mark.parametrize("may", [(True, True), (True, False), (False, False)])
def test_the_filter_of_this_machine_is_one_of_those(may: tuple[bool, bool]) -> None:
    architecture = ARCHITECTURES[os.uname().machine]
    assert compile_filter(*may) == export(make_filter(list_rules(*may, architecture), architecture))


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("socket", ()),
        ("ptrace", ()),
        ("close_range", ()),
        ("futex", (pyseccomp.Arg(1, pyseccomp.MASKED_EQ, 0x7F, 1),)),
        ("madvise", (pyseccomp.Arg(2, pyseccomp.EQ, 21),)),
        ("getsockopt", (pyseccomp.Arg(2, pyseccomp.EQ, 77),)),
        ("clone", ()),
        ("clone", (pyseccomp.Arg(0, pyseccomp.MASKED_EQ, 0x100, 0x100),)),
        ("mmap", (pyseccomp.Arg(3, pyseccomp.MASKED_EQ, 0x20, 0x20),)),
        ("prctl", (pyseccomp.Arg(0, pyseccomp.EQ, 1),)),
        ("prlimit64", (pyseccomp.Arg(0, pyseccomp.EQ, 1),)),
    ],
)
def test_a_filter_that_allows_too_much_is_refused(name: str, arguments: tuple[pyseccomp.Arg, ...], machine: str) -> None:
    number = number_of(name, ARCHITECTURES[machine])
    with pytest.raises(FilterWrong, match=f"system call {number} .* gets 0x7fff0000"):
        check_filter(weakened(machine, name, *arguments), machine, False, False)


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_a_filter_without_the_check_of_the_architecture_is_refused(machine: str) -> None:
    program = export(make_filter(list_rules(False, False, ARCHITECTURES[machine]), ARCHITECTURES[machine]))
    own = (0x15, ARCHITECTURES[machine])
    check = next(offset for offset in range(0, len(program), 8) if struct.unpack_from("=HBBI", program, offset)[::3] == own)
    blind = program[:check] + instruction(0x05, 0, 0, program[check + 2]) + program[check + 8 :]  # goes on as if it were
    with pytest.raises(FilterWrong, match="not 0x80000000"):
        check_filter(blind, machine, False, False)


def weakened(machine: str, name: str, *arguments: pyseccomp.Arg) -> bytes:
    """Return the product's filter with one more thing allowed."""
    rules = make_filter(list_rules(False, False, ARCHITECTURES[machine]), ARCHITECTURES[machine])
    rules.add_rule(pyseccomp.ALLOW, name, *arguments)
    return export(rules)
