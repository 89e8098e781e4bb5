"""Verification from outside finds each missing mark of confinement."""

import os
from pathlib import Path

import msgspec
import pytest

from app.sandbox import process_status
from app.sandbox.confinement.rlimits import Budget, Present, limits_of
from app.sandbox.process_status import Mount, ProcessUnknown, Status, read_limits, read_mounts, read_status
from app.sandbox.verification import verification
from app.sandbox.verification.verification import EXPECTED_PROBES, Marks, NotConfined, verify_child
from tests.bench.processes import command, descendants
from tests.programs import Programs

REFUSED = dict.fromkeys(EXPECTED_PROBES, True)
BUDGET = Budget(memory_bytes=2**29, cpu_seconds=11, scratch_bytes=2**26, scratch_inodes=4096, threads=64)
MARKS = Marks(uid=None, namespaces=False, limits=limits_of(BUDGET, Present(space_bytes=2**40, data_bytes=2**40, tasks=0)))
CONFINED = Status(
    uids=[7] * 4, gids=[7] * 4, groups=[], pids=[9, 3, 1], threads=1, no_new_privs=True, seccomp_filter=True, capabilities=0, bounding=0
)


def test_an_ordinary_process_is_not_taken_for_confined() -> None:
    with pytest.raises(NotConfined):
        verify_child(os.getpid(), MARKS, REFUSED)


def test_a_process_that_is_gone_is_not_taken_for_confined() -> None:
    with pytest.raises(ProcessUnknown):
        read_status(2**22 + 1)
    with pytest.raises(NotConfined, match="gone"):
        verify_child(2**22 + 1, MARKS, REFUSED)


@pytest.mark.parametrize(("name", "line"), [("status", "Seccomp"), ("status", "NSpid"), ("limits", "Max address space")])
def test_a_kernel_that_does_not_tell_is_named_and_not_trusted(name: str, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = process_status._read

    def leave_out(pid: int, asked: str) -> str:
        return "".join(one for one in told(pid, asked).splitlines(True) if asked != name or not one.startswith(line))

    monkeypatch.setattr(process_status, "_read", leave_out)
    for part in ("_verify_identity", "_verify_privileges", "is_dumpable"):
        monkeypatch.setattr(verification, part, lambda *_: False)
    monkeypatch.setattr(verification, "read_oom_score", lambda _: verification.OOM_SCORE)
    with pytest.raises(NotConfined, match=f"does not report .*(?i:{line})"):
        verify_child(os.getpid(), MARKS, REFUSED)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"uids": [7, 0, 7, 7]}, "root"),
        ({"uids": [8] * 4}, "not 7"),
        ({"uids": [7, 7, 8, 7]}, "not 7"),
        ({"gids": [7, 0, 7, 7]}, "not 7"),
        ({"groups": [27]}, "groups"),
    ],
)
def test_a_wrong_identity_is_seen(changes: dict[str, object], words: str) -> None:
    with pytest.raises(NotConfined, match=words):
        verification._verify_identity(msgspec.structs.replace(CONFINED, **changes), 7)
    verification._verify_identity(CONFINED, 7)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"no_new_privs": False}, "no_new_privs"),
        ({"seccomp_filter": False}, "seccomp"),
        ({"capabilities": 1 << 21}, "capabilities"),
        ({"threads": 2}, "2 threads"),
        ({"pids": [9]}, "namespace"),
        ({"pids": [9, 3, 2]}, "namespace"),
    ],
)
def test_a_privilege_that_was_kept_is_seen(changes: dict[str, object], words: str) -> None:
    marks = msgspec.structs.replace(MARKS, namespaces=True)
    with pytest.raises(NotConfined, match=words):
        verification._verify_privileges(msgspec.structs.replace(CONFINED, **changes), marks)
    verification._verify_privileges(CONFINED, marks)


def test_a_limit_that_is_missing_or_could_be_raised_is_seen() -> None:
    with pytest.raises(NotConfined, match="max address space"):
        verification._verify_limits(os.getpid(), MARKS)


def test_a_probe_that_was_not_refused_or_not_made_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "verify_process", lambda pid, marks: None)
    verify_child(0, MARKS, REFUSED)
    for probes in ({**REFUSED, "fork": False}, {name: True for name in REFUSED if name != "read_file"}, {}):
        with pytest.raises(NotConfined, match="not refused"):
            verify_child(0, MARKS, probes)


@pytest.mark.parametrize(
    ("mounts", "words"),
    [
        ([], "no scratch"),
        ([Mount(point="/scratch", kind="ext4", options=frozenset({"rw", "nosuid", "nodev", "noexec"}))], "ext4"),
        ([Mount(point="/scratch", kind="tmpfs", options=frozenset({"rw", "nosuid", "nodev"}))], "tmpfs mounted"),
        ([Mount(point="/usr/lib", kind="ext4", options=frozenset({"rw"}))], "/usr/lib is writable"),
    ],
)
def test_a_root_in_which_more_than_the_scratch_can_be_written_is_seen(
    monkeypatch: pytest.MonkeyPatch, mounts: list[Mount], words: str
) -> None:
    monkeypatch.setattr(verification, "read_mounts", lambda pid: mounts)
    with pytest.raises(NotConfined, match=words):
        verification._verify_mounts(0)


def test_what_proc_says_of_a_process_is_read_as_it_is() -> None:
    status = read_status(os.getpid())
    assert (status.uids, status.gids, status.groups) == ([os.getuid()] * 4, [os.getgid()] * 4, sorted(os.getgroups()))
    assert status.pids[-1] == os.getpid()
    assert status.threads == len(list(Path("/proc/self/task").iterdir()))
    assert "Max open files" in read_limits(os.getpid())
    assert any(mount.point == "/" for mount in read_mounts(os.getpid()))


def test_the_children_of_a_runner_show_every_mark(programs: Programs) -> None:
    """A runner uses no child that lacks a mark."""
    assert programs.run("print('on')").stdout == "on\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only a zygote that is root has privileges to shed")
def test_a_zygote_keeps_only_what_forking_takes(programs: Programs) -> None:
    zygotes = [pid for pid in descendants(programs.process.pid) if "app.sandbox.zygote.zygote" in command(pid)]
    inner = next(read_status(pid) for pid in zygotes if len(read_status(pid).pids) == 2)
    kept = {number for number in range(64) if inner.capabilities >> number & 1}
    assert kept == {0, 5, 6, 7, 8, 21}  # CHOWN, KILL, SETGID, SETUID, SETPCAP, SYS_ADMIN
    assert inner.bounding == inner.capabilities
    assert inner.no_new_privs


def test_a_program_sees_its_own_confinement(programs: Programs) -> None:
    source = "import os\nprint(os.getuid() != 0, os.getgroups(), sorted(int(n) for n in range(64) if os.path.exists(f'/proc/self/fd/{n}')))"
    assert programs.run(source).stdout.startswith("True []")
