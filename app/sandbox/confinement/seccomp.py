"""Compiles the filter of system calls to BPF, from the rules of `system_calls`. Runs once, in the zygote.

A call that no rule allows fails with EPERM, which Python raises as PermissionError. A call through another architecture's table (32-bit
int 0x80, x32 numbers) kills the process: libseccomp puts that check first. libseccomp before 2.6.1 can weaken 64-bit comparisons when it
merges rules, so tests check the compiled instructions for every architecture of `ARCHITECTURES`.
"""

import errno
import os

import pyseccomp

from app.sandbox.confinement.system_calls import Rule, list_rules

# the machines for which tests check the compiled filter; on others no program is run
ARCHITECTURES = {"x86_64": pyseccomp.Arch.X86_64, "aarch64": pyseccomp.Arch.AARCH64}
_UNKNOWN = -1  # __NR_SCMP_ERROR: this libseccomp is older than the system call


def compile_filter(may_change_modes: bool, may_ask_for_room: bool) -> bytes:
    """Return the filter's BPF instructions, which each child loads with one system call. `list_rules` explains the parameters."""
    return export(make_filter(list_rules(may_change_modes, may_ask_for_room, native_architecture())))


def native_architecture() -> int:
    """Return pyseccomp's number of this machine's architecture. Raises KeyError if it is not one of ARCHITECTURES."""
    return int(ARCHITECTURES[os.uname().machine])


def make_filter(rules: list[Rule], architecture: int | None = None) -> pyseccomp.SyscallFilter:
    """Return a filter, not yet compiled, for one architecture, by default the machine's own."""
    made = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.EPERM))
    made.set_attr(pyseccomp.Attr.ACT_BADARCH, pyseccomp.KILL_PROCESS)
    if architecture is not None and not made.exist_arch(architecture):
        made.add_arch(architecture)
        made.remove_arch(pyseccomp.Arch.NATIVE)
    for rule in rules:
        if pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, rule.name) != _UNKNOWN:
            action = pyseccomp.ALLOW if rule.error is None else pyseccomp.ERRNO(rule.error)
            made.add_rule(action, rule.name, *(pyseccomp.Arg(at, pyseccomp.MASKED_EQ, mask, value) for at, mask, value in rule.conditions))
    return made


def number_of(name: str, architecture: int = pyseccomp.Arch.NATIVE) -> int | None:
    """Return a system call's number; None if the architecture does not have it (arm64 has no `open`) or libseccomp does not know it."""
    number = int(pyseccomp.resolve_syscall(architecture, name))
    return number if number >= 0 else None


def export(rules: pyseccomp.SyscallFilter) -> bytes:
    """Return the filter compiled to BPF instructions."""
    descriptor = os.memfd_create("filter")
    with open(descriptor, "rb") as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
