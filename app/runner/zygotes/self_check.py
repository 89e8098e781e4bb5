"""The live self-check: a fresh child executes a program that attacks the server, sent on the same path as a learner's program.

Fails closed: an attack that is not reported, or is reported late, twice or in another form, counts as not refused.
"""

import os
from pathlib import Path

import msgspec

from app.protocol.channel import Execute, Over
from app.protocol.event import Stdout
from app.protocol.limits import MEBIBYTE
from app.protocol.run import Program, Source
from app.protocol.sandbox import Check
from app.runner.conversation.child_handle import ChildHandle
from app.runner.conversation.conversation import Caps, Conversation
from app.sandbox.confinement.seccomp import number_of
from app.sandbox.verification import attacks
from app.sandbox.verification.attacks import ATTACKS, Surroundings
from app.sandbox.zygote.host import Host

_CAPS = Caps(all_bytes=64 * 1024, output_bytes=64 * 1024, seconds=10.0)  # some 20 ms are usual; a machine may be busy
_CALLS = (
    "bpf execve io_uring_setup keyctl memfd_create mount perf_event_open pidfd_open pivot_root prctl process_vm_readv ptrace setns shmget "
    "unshare userfaultfd"
)


class AttackOutcome(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """What the program prints about one attack."""

    name: str
    refused: bool
    words: str


async def run_self_check(child: ChildHandle, host: Host) -> list[Check]:
    """Return the result of each attack in a ready child, which the caller then has to kill. A check passes if the attack was refused."""
    names = attacks_on(host)
    return judge(names, await _execute(child, _program(names, child)))


async def _execute(child: ChildHandle, program: Program) -> str:
    """Return what the program printed; empty unless it finished by itself."""
    conversation = Conversation(child, _CAPS, final=Over)
    conversation.send(Execute(program=program))
    printed = ""
    async for item in conversation:
        if isinstance(item, Stdout):
            printed += item.text
        elif isinstance(item, Over) and item.ending == "finished":
            return printed
    return ""


def attacks_on(host: Host) -> list[str]:
    """Return the attacks that the layers of this host must refuse at once."""
    left_out = []
    if not host.namespaces:
        # if the scratch has no file system of its own, it is measured instead, and no write is refused at once
        left_out.append("fill_scratch")
    if host.closed and host.landlock_abi == 0:
        left_out.append("read_files")  # a run may read what everybody may read, and none of it is secret
    return [name for name in ATTACKS if name not in left_out]


def judge(names: list[str], text: str) -> list[Check]:
    """Parse the program's output into checks."""
    reported = _read(text)
    if [one.name for one in reported] != names:
        return [_check(name, None) for name in names]
    return [_check(one.name, one) for one in reported]


def _check(name: str, outcome: AttackOutcome | None) -> Check:
    aim = ATTACKS[name][0]
    if outcome is None:
        return Check(name=name, passed=False, detail=f"tried to {aim}; the result is not known")
    result = f"refused ({outcome.words})" if outcome.refused else f"NOT refused: {outcome.words}"
    return Check(name=name, passed=outcome.refused, detail=f"tried to {aim}: {result}")


def _read(text: str) -> list[AttackOutcome]:
    try:
        return [msgspec.json.decode(line, type=AttackOutcome) for line in text.splitlines()]
    except ValueError:  # msgspec's own errors, and text that cannot be UTF-8
        return []


def _program(names: list[str], child: ChildHandle) -> Program:
    source = Path(attacks.__file__)
    around = Surroundings(
        runner=os.getpid(),
        source=str(source),
        memory_bytes=child.budget.memory_bytes + MEBIBYTE,
        scratch_bytes=child.budget.scratch_bytes,
        calls={name: number for name in _CALLS.split() if (number := number_of(name)) is not None},
    )
    return Program(source=Source(text=f"{source.read_text(encoding='utf-8')}\nattack_all({names!r}, {around!r})\n"))
