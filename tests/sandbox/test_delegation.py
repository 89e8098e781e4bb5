"""Control groups are made only where that is allowed, and only our own processes and groups are moved or removed."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.sandbox.cgroups import delegation
from app.sandbox.cgroups.delegation import PREFIX, find_sites, remove_site
from app.sandbox.cgroups.hierarchy import LEAF, read_hierarchies
from tests.sandbox.test_hierarchy import SYSTEMD, pretend_proc, pretend_v2


def test_without_a_hierarchy_each_controller_says_so(tmp_path: Path) -> None:
    proc = pretend_proc(tmp_path, "0::/\n", "24 1 0:22 / /sys rw - sysfs sysfs rw\n")
    sites, missing = find_sites(proc=proc)
    assert sites == []
    assert set(missing) == {"memory", "pids", "cpu"}
    assert all("no cgroup hierarchy" in why for why in missing.values())


def test_a_group_with_processes_that_are_not_ours_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)  # root would go to the mount's root instead
    own = pretend_v2(tmp_path / "cgroup", "system.slice/gradroom.service", processes=f"{os.getpid()}\n1\n")
    proc = pretend_proc(tmp_path / "proc", SYSTEMD[0], SYSTEMD[1].format(root=tmp_path / "cgroup"))
    sites, missing = find_sites(proc=proc)
    assert sites == []
    assert "not ours to move" in missing["memory"]
    assert not (own / LEAF).exists()


def test_processes_are_ours_if_this_one_started_them() -> None:
    child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    assert all(delegation._descends(pid, os.getpid()) for pid in (os.getpid(), child.pid))
    assert not delegation._descends(os.getppid(), os.getpid())
    child.communicate()


def test_a_claimed_folder_is_kept_from_others_and_an_abandoned_one_is_removed(tmp_path: Path) -> None:
    abandoned = tmp_path / f"{PREFIX}abandoned"
    abandoned.mkdir()
    other = tmp_path / "somebody-elses"
    other.mkdir()
    first = delegation._claim(tmp_path, 1, frozenset({"memory"}))
    second = delegation._claim(tmp_path, 1, frozenset({"memory"}))
    assert first.folder.exists() and second.folder.exists() and other.exists()
    assert not abandoned.exists()
    for site in (first, second):
        remove_site(site)
        assert not site.folder.exists()


def test_where_nothing_may_be_written_the_kernels_words_are_kept(tmp_path: Path) -> None:
    proc = pretend_proc(tmp_path, "4:memory:/\n", "31 24 0:29 / /proc/sys rw - cgroup cgroup rw,memory\n")
    sites, missing = find_sites(("memory",), proc)
    assert sites == []
    assert "/proc/sys" in missing["memory"]


# with a real hierarchy of v2: what it lets move, enable and remove does not depend on the controller

UNIFIED = next((found for found in read_hierarchies(Path("/proc/self")) if found.version == 2 and found.controllers), None)
INSIDE = """
import json, os, sys
from pathlib import Path
from app.sandbox.cgroups.cgroup import enter_groups
from app.sandbox.cgroups.delegation import find_sites, remove_site
from app.sandbox.cgroups.hierarchy import write
group, wanted = Path(sys.argv[1]), sys.argv[2]
write(group / "cgroup.procs", "0")
seen = {}
(site,), missing = find_sites((wanted,))
seen["own"] = next(line[3:] for line in open("/proc/self/cgroup").read().splitlines() if line.startswith("0::"))
seen["folder"], seen["missing"] = str(site.folder), missing
slot = site.folder / "slot-0"
slot.mkdir()
seen["controllers"] = (slot / "cgroup.controllers").read_text().split()
pid = os.fork()
if pid == 0:
    enter_groups([os.open(slot / "cgroup.procs", os.O_WRONLY)])
    os.closerange(0, 3)
    os.execvp("sleep", ["sleep", "60"])
while not (slot / "cgroup.procs").read_text().split():
    pass
if sys.argv[3] == "close":
    remove_site(site)
    seen["left"] = site.folder.exists()
    seen["status"] = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(json.dumps(seen), flush=True)
os._exit(0)
"""


@pytest.fixture
def group() -> Iterator[Path]:
    """A new group of v2 for the test."""
    if UNIFIED is None or os.geteuid() != 0:
        pytest.skip("there is no v2 hierarchy with a controller here in which this process may make groups")
    folder = UNIFIED.root / f"gradroom-test-{os.getpid()}"
    try:
        folder.mkdir()
        delegation._enable(UNIFIED.root, UNIFIED.controllers)
    except OSError as error:
        pytest.skip(f"no group can be made: {error}")
    yield folder
    for below in sorted(folder.rglob("*"), reverse=True):
        if below.is_dir():
            delegation._end_processes(below)
            below.rmdir()
    folder.rmdir()


def act_inside(group: Path, how: str) -> dict[str, object]:
    assert UNIFIED is not None
    (wanted, *_) = sorted(UNIFIED.controllers)
    done = subprocess.run(
        [sys.executable, "-c", INSIDE, str(group), wanted, how], stdout=subprocess.PIPE, text=True, check=True, timeout=60
    )
    seen: dict[str, object] = json.loads(done.stdout)
    assert seen["controllers"] == [wanted]
    assert seen["missing"] == {}
    return seen


def test_a_runner_alone_in_its_group_moves_into_a_leaf_and_makes_groups_beside_it(group: Path) -> None:
    seen = act_inside(group, "close")
    assert str(seen["own"]).endswith(f"/{group.name}/{LEAF}")
    assert Path(str(seen["folder"])).parent == group
    assert seen["left"] is False
    assert seen["status"] == -9  # what was still in a slot's group has been ended


def test_a_runner_that_was_killed_leaves_groups_and_the_next_removes_them(group: Path) -> None:
    left = act_inside(group, "leave")["folder"]
    assert Path(str(left)).exists()
    act_inside(group / LEAF, "close")
    assert not Path(str(left)).exists()


def test_a_runner_that_is_started_in_the_leaf_again_makes_its_groups_beside_it(group: Path) -> None:
    (group / LEAF).mkdir()
    seen = act_inside(group / LEAF, "close")
    assert str(seen["own"]).endswith(f"/{group.name}/{LEAF}")
    assert Path(str(seen["folder"])).parent == group
