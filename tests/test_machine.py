"""The processors and memory that the process may use."""

import resource
from pathlib import Path

import pytest

from app.machine import MOST_DESCRIPTORS, available_bytes, count_cores, memory_bytes, raise_descriptors

WHOLE = memory_bytes(own=Path("/none"))
MEBIBYTE = 1024 * 1024
V1_FILES = {"limit_in_bytes": "60", "usage_in_bytes": "40", "stat": "inactive_file 1\ntotal_inactive_file 10"}


@pytest.mark.parametrize(
    ("line", "file", "text", "expected"),
    [
        ("0::/a/b", "a/b/memory.max", str(64 * MEBIBYTE), 64 * MEBIBYTE),
        ("0::/a/b", "a/memory.max", str(64 * MEBIBYTE), 64 * MEBIBYTE),
        ("0::/", "memory.max", str(64 * MEBIBYTE), 64 * MEBIBYTE),
        ("4:cpu,memory:/a", "memory/a/memory.limit_in_bytes", str(64 * MEBIBYTE), 64 * MEBIBYTE),
        ("0::/a", "a/memory.max", "max", WHOLE),
        ("4:memory:/a", "memory/a/memory.limit_in_bytes", "9223372036854771712", WHOLE),
        ("1:cpu:/a", "a/memory.max", "1", WHOLE),
        ("0::/../elsewhere", "none", "1", WHOLE),
    ],
)
def test_memory_is_what_the_machine_and_every_cgroup_above_allow(tmp_path: Path, line: str, file: str, text: str, expected: int) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(f"{text}\n")
    own = tmp_path / "own"
    own.write_text(f"{line}\n")
    assert memory_bytes(tmp_path, own) == expected


@pytest.mark.parametrize(
    ("line", "files", "expected"),
    [
        ("0::/a/b", {}, 80),
        ("0::/a/b", {"a/memory.max": "max", "a/memory.current": "10"}, 80),
        ("0::/a/b", {"a/memory.max": "60", "a/memory.current": "40", "a/memory.stat": "anon 30\ninactive_file 5"}, 25),
        ("0::/a", {"a/memory.max": "60", "a/memory.current": "70"}, 0),
        ("4:memory:/a", {"memory/a/memory.limit_in_bytes": "60", "memory/a/memory.usage_in_bytes": "40"}, 20),
        ("4:memory:/a", {f"memory/a/memory.{name}": text for name, text in V1_FILES.items()}, 30),
    ],
)
def test_what_is_available_is_what_the_tightest_has_left_and_the_files_that_it_can_drop(
    tmp_path: Path, line: str, files: dict[str, str], expected: int
) -> None:
    (tmp_path / "meminfo").write_text("MemTotal:       1000 kB\nMemAvailable:     80 kB\n")
    (tmp_path / "own").write_text(f"{line}\n")
    for file, text in files.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        numbers = [str(int(word) * 1024) if word.isdigit() else word for word in text.replace("\n", " \n ").split(" ")]
        (tmp_path / file).write_text(" ".join(numbers).replace(" \n ", "\n"))
    assert available_bytes(tmp_path, tmp_path / "own", tmp_path / "meminfo") == expected * 1024


def test_this_machine_has_cores_and_memory() -> None:
    assert count_cores() >= 1
    assert MEBIBYTE < available_bytes() < memory_bytes()
    assert MEBIBYTE < memory_bytes() <= WHOLE


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ((256, 4096), 4096),
        ((256, MOST_DESCRIPTORS + 1), MOST_DESCRIPTORS),
        ((256, resource.RLIM_INFINITY), MOST_DESCRIPTORS),
        ((MOST_DESCRIPTORS + 1, MOST_DESCRIPTORS + 2), MOST_DESCRIPTORS + 1),
    ],
)
def test_as_many_descriptors_are_had_as_may_be(monkeypatch: pytest.MonkeyPatch, limits: tuple[int, int], expected: int) -> None:
    set_limits = [limits]
    monkeypatch.setattr(resource, "getrlimit", lambda _: set_limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, changed: set_limits.append(changed))
    assert raise_descriptors() == expected
    assert set_limits[-1] == (expected, limits[1])


def test_descriptors_without_a_limit_stay_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    monkeypatch.delattr(resource, "setrlimit")
    assert raise_descriptors() == MOST_DESCRIPTORS
