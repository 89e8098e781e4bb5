"""Control groups of slots: with this machine's own groups if it has any, and with files of v2 in an imitated folder tree.

No machine of ours has a v2 hierarchy with controllers, so these tests check what is written, not what the kernel does with it.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.sandbox.cgroups.cgroup import ALLOWANCE_BYTES, Group, Groups, enter_groups, open_groups
from app.sandbox.cgroups.delegation import Site
from app.sandbox.confinement.rlimits import Budget
from tests.programs import Programs

MEBIBYTE = 2**20
BUDGET = Budget(memory_bytes=64 * MEBIBYTE, cpu_seconds=9, scratch_bytes=MEBIBYTE, scratch_inodes=16, threads=8, compute_threads=2)
FILES = {
    1: (
        "tasks",
        "memory.limit_in_bytes",
        "memory.memsw.limit_in_bytes",
        "memory.oom_control",
        "pids.max",
        "cpu.cfs_period_us",
        "cpu.cfs_quota_us",
        "cpu.shares",
    ),
    2: ("cgroup.procs", "memory.max", "memory.swap.max", "memory.oom.group", "memory.events", "pids.max", "cpu.max", "cpu.weight"),
}


def pretend_group(folder: Path, version: int) -> Path:
    folder.mkdir(parents=True)
    for name in FILES[version]:
        (folder / name).touch()
    return folder


def pretend_site(folder: Path, version: int) -> Site:
    pretend_group(folder / "slot-3", version)
    lock = os.open(folder, os.O_RDONLY)
    return Site(version=version, controllers=frozenset({"memory", "pids", "cpu"}), folder=folder, lock=lock)


MEMORY = str((64 + 1) * MEBIBYTE + ALLOWANCE_BYTES)


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        (
            2,
            {
                "memory.max": MEMORY,
                "memory.swap.max": "0",
                "memory.oom.group": "1",
                "pids.max": "12",
                "cpu.max": "220000 100000",
            },
        ),
        (
            1,
            {
                "memory.limit_in_bytes": MEMORY,
                "pids.max": "12",
                "cpu.cfs_period_us": "100000",
                "cpu.cfs_quota_us": "220000",
            },
        ),
    ],
)
def test_each_limit_is_written_where_its_version_of_cgroups_has_it(tmp_path: Path, version: int, expected: dict[str, str]) -> None:
    Groups([pretend_site(tmp_path / "runs", version)], {}).enter(3, BUDGET)
    written = {name: (tmp_path / "runs" / "slot-3" / name).read_text() for name in expected}
    assert written == expected


@pytest.mark.parametrize("version", [1, 2])
def test_a_kernel_that_does_not_count_swap_is_no_obstacle(tmp_path: Path, version: int) -> None:
    site = pretend_site(tmp_path / "runs", version)
    for name in ("memory.memsw.limit_in_bytes", "memory.swap.max", "memory.oom.group"):
        (site.folder / "slot-3" / name).unlink(missing_ok=True)
    Groups([site], {}).enter(3, BUDGET)


def test_a_limit_that_cannot_be_set_is_an_error(tmp_path: Path) -> None:
    site = pretend_site(tmp_path / "runs", 2)
    (site.folder / "slot-3" / "memory.max").unlink()
    with pytest.raises(FileNotFoundError, match=r"memory\.max"):
        Groups([site], {}).enter(3, BUDGET)


@pytest.mark.parametrize(
    ("version", "name", "text"),
    [
        (1, "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill {}\n"),
        (2, "memory.events", "low 0\nhigh 0\nmax 12\noom 3\noom_kill {}\noom_group_kill 1\n"),
    ],
)
def test_kills_for_memory_are_counted_since_the_last_look(tmp_path: Path, version: int, name: str, text: str) -> None:
    group = Groups([pretend_site(tmp_path / "runs", version)], {}).enter(3, BUDGET)
    counts = tmp_path / "runs" / "slot-3" / name
    taken = []
    for count in (0, 1, 1, 3):
        counts.write_text(text.format(count))
        taken.append(group.take_oom_kills())
    assert taken == [0, 1, 0, 2]


# with the groups that this machine grants


@pytest.fixture
def groups() -> Iterator[Groups]:
    opened = open_groups()
    yield opened
    folders = [site.folder for site in opened._sites]
    opened.close()
    assert [folder for folder in folders if folder.exists()] == []


def in_group(group: Group, action: str) -> int:
    """Return the status of a process that enters a group and then does something."""
    entrances = group.open_entrances()
    pid = os.fork()
    if pid == 0:
        try:
            enter_groups(entrances)
            exec(action, {"group": group, "os": os})
            os._exit(0)
        finally:
            os._exit(1)
    for entrance in entrances:
        os.close(entrance)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_a_process_that_takes_too_much_memory_in_its_group_is_killed_and_counted(groups: Groups) -> None:
    if "memory" not in groups.grant.controllers:
        pytest.skip(f"no group with memory: {groups.grant.missing}")
    group = groups.enter(0, BUDGET)
    assert in_group(group, "x = bytearray(2**20)") == 0
    assert group.take_oom_kills() == 0
    assert in_group(group, "x = b'x' * 2**28") == -9
    assert group.take_oom_kills() == 1
    assert in_group(groups.enter(0, BUDGET), "x = bytearray(2**20)") == 0  # and the slot is as good as new


def test_a_process_in_its_group_is_told_from_one_that_is_not(groups: Groups) -> None:
    if not groups.grant.controllers:
        pytest.skip(f"no groups: {groups.grant.missing}")
    group = groups.enter(0, BUDGET)
    assert not group.holds(os.getpid())
    assert in_group(group, "os._exit(40 + group.holds(os.getpid()))") == 41


def test_the_number_of_tasks_in_a_group_is_limited(groups: Groups) -> None:
    if "pids" not in groups.grant.controllers:
        pytest.skip(f"no group with pids: {groups.grant.missing}")
    group = groups.enter(0, BUDGET)
    threads = "import threading\nnever = threading.Event()\nfor _ in range({}): threading.Thread(target=never.wait, daemon=True).start()"
    assert [in_group(group, threads.format(count)) for count in (8, 20)] == [0, 1]  # the second raises "can't start new thread"


def test_a_limit_that_is_changed_holds_for_the_next(groups: Groups) -> None:
    if "memory" not in groups.grant.controllers:
        pytest.skip(f"no group with memory: {groups.grant.missing}")
    large = Budget(memory_bytes=512 * MEBIBYTE, cpu_seconds=9, scratch_bytes=MEBIBYTE, scratch_inodes=16, threads=8)
    for budget, status in ((BUDGET, -9), (large, 0), (BUDGET, -9)):
        assert in_group(groups.enter(0, budget), "x = b'x' * 2**28") == status


def test_a_child_of_a_runner_is_in_its_group(programs: Programs) -> None:
    report = programs.status().sandbox
    assert report is not None
    layer = next(layer for layer in report.layers if layer.name == "cgroup")
    if not layer.active:
        pytest.skip(layer.detail)
    assert "memory" in layer.detail


def test_a_kill_that_nobody_asked_about_is_not_the_next_childs(tmp_path: Path) -> None:
    """The zygote may have died before it reported the child's end."""
    groups = Groups([pretend_site(tmp_path, 1)], {})
    told = tmp_path / "slot-3" / "memory.oom_control"
    groups.enter(3, BUDGET)
    told.write_text("oom_kill 1\n")
    group = groups.enter(3, BUDGET)
    assert group.take_oom_kills() == 0
    told.write_text("oom_kill 2\n")
    assert group.take_oom_kills() == 1
