"""The mounted hierarchies of control groups are read from /proc."""

from pathlib import Path

import pytest

from app.sandbox.cgroups.hierarchy import read_hierarchies

SYSTEMD = (
    "0::/system.slice/gradroom.service\n",
    "24 1 0:22 / /sys rw,nosuid - sysfs sysfs rw\n35 24 0:30 / {root} rw,nosuid,nodev shared:9 - cgroup2 cgroup2 rw,nsdelegate\n",
)


def pretend_proc(folder: Path, cgroup: str, mountinfo: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "cgroup").write_text(cgroup)
    (folder / "mountinfo").write_text(mountinfo)
    return folder


def pretend_v2(root: Path, path: str, processes: str = "", controllers: str = "cpu io memory pids") -> Path:
    """Make files that look like those of a group of v2. Writing to them has no effect."""
    group = root / path
    group.mkdir(parents=True, exist_ok=True)
    for name, text in {
        "cgroup.controllers": controllers,
        "cgroup.subtree_control": "",
        "cgroup.procs": processes,
        "cgroup.type": "domain",
    }.items():
        (group / name).write_text(text)
    return group


def test_the_group_of_a_systemd_unit_is_found(tmp_path: Path) -> None:
    own = pretend_v2(tmp_path / "cgroup", "system.slice/gradroom.service")
    proc = pretend_proc(tmp_path / "proc", SYSTEMD[0], SYSTEMD[1].format(root=tmp_path / "cgroup"))
    (found,) = read_hierarchies(proc)
    assert (found.version, found.own, found.root) == (2, own, tmp_path / "cgroup")
    assert found.controllers == {"cpu", "io", "memory", "pids"}


def test_controllers_of_v1_that_share_a_mount_are_one_hierarchy(tmp_path: Path) -> None:
    lines = (
        "30 24 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
        "31 24 0:29 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
        "32 24 0:30 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd\n"
    )
    proc = pretend_proc(tmp_path, "5:cpu,cpuacct:/user/me\n4:memory:/docker/abc/below\n1:name=systemd:/\n", lines)
    found = {hierarchy.own: hierarchy.controllers for hierarchy in read_hierarchies(proc) if "name=systemd" not in hierarchy.controllers}
    assert found == {
        Path("/sys/fs/cgroup/cpu,cpuacct/user/me"): {"cpu", "cpuacct"},
        Path("/sys/fs/cgroup/memory/below"): {"memory"},
    }


@pytest.mark.parametrize("path", ["/../other", "/docker/xyz"])
def test_a_group_outside_the_mount_is_left_alone(tmp_path: Path, path: str) -> None:
    proc = pretend_proc(tmp_path, f"4:memory:{path}\n", "31 24 0:29 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n")
    assert read_hierarchies(proc) == []
