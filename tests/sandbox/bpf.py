"""Computes what a compiled filter answers to a system call: an interpreter of the classic BPF instructions that libseccomp writes.

Reference: seccomp(2), linux/filter.h, linux/bpf_common.h.
"""

import struct

import msgspec

KILL_PROCESS = 0x80000000
ERRNO = 0x00050000  # the number is in the lower 16 bits
ALLOW = 0x7FFF0000

_LOAD, _AND = 0x20, 0x54
_JUMP, _IF_EQUAL, _IF_GREATER, _IF_NOT_LESS, _IF_BITS = 0x05, 0x15, 0x25, 0x35, 0x45
_RETURN = 0x06

_INSTRUCTION = struct.Struct("=HBBI")
_DATA = struct.Struct("=iIQ6Q")  # struct seccomp_data


class UnknownInstruction(Exception):
    """The filter has an instruction that this interpreter does not know."""


class Call(msgspec.Struct, frozen=True):
    """A system call as a filter sees it: architecture, number and arguments."""

    architecture: int
    number: int
    arguments: tuple[int, ...] = ()


class Filter:
    """A compiled filter."""

    def __init__(self, program: bytes) -> None:
        self._instructions = list(_INSTRUCTION.iter_unpack(program))

    def answer(self, call: Call) -> int:
        """Return the action that the kernel would take. Raises UnknownInstruction."""
        number = call.number - 2**32 if call.number >= 2**31 else call.number
        data = _DATA.pack(number, call.architecture, 0, *call.arguments, *[0] * (6 - len(call.arguments)))
        at = value = 0
        while True:
            code, if_true, if_false, operand = self._instructions[at]
            at += 1
            if code == _LOAD:
                (value,) = struct.unpack_from("=I", data, operand)
            elif code == _AND:
                value &= operand
            elif code == _JUMP:
                at += operand
            elif code == _RETURN:
                return int(operand)
            else:
                at += if_true if _compare(code, value, operand) else if_false


def _compare(code: int, value: int, operand: int) -> bool:
    if code == _IF_EQUAL:
        return value == operand
    if code == _IF_GREATER:
        return value > operand
    if code == _IF_NOT_LESS:
        return value >= operand
    if code == _IF_BITS:
        return bool(value & operand)
    raise UnknownInstruction(f"{code:#x}")
