"""What a host must grant before anything runs on it."""

import msgspec
import pytest

from app.sandbox.cgroups.cgroup import Grant
from app.sandbox.verification.assessment import assess, shortcomings
from app.sandbox.zygote.host import Host

FULL = Host(
    machine="x86_64",
    kernel="6.18",
    root=True,
    container=False,
    namespaces=True,
    namespaces_detail="",
    landlock_abi=7,
    landlock_detail="",
    own_uid=True,
    own_uid_detail="",
)
GRANT = Grant(controllers=frozenset({"memory", "pids", "cpu"}))


def host(**changes: object) -> Host:
    return msgspec.structs.replace(FULL, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"namespaces": False, "container": True},
        {"root": False, "own_uid": False},
        {"root": False, "own_uid": False, "namespaces": False},
        {"landlock_abi": 0},
        {"landlock_abi": 0, "namespaces": False, "container": True, "closed": True},
    ],
)
def test_enough_is_enough(changes: dict[str, object]) -> None:
    assert shortcomings(host(**changes)) == []
    assert assess(host(**changes), GRANT).safe


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"machine": "riscv64"}, "riscv64"),
        ({"landlock_abi": 2, "namespaces": False, "namespaces_detail": "refused"}, "files are not confined.*refused"),
        ({"own_uid": False, "namespaces": False, "landlock_abi": 5, "root": False}, "not kept apart"),
        ({"own_uid": False, "own_uid_detail": "EPERM"}, "SETUID"),
    ],
)
def test_a_missing_layer_is_refused_with_a_reason(changes: dict[str, object], words: str) -> None:
    report = assess(host(**changes), GRANT)
    assert not report.safe
    with pytest.raises(AssertionError, match=words):
        raise AssertionError("; ".join(shortcomings(host(**changes))))


def test_the_setting_is_named_after_what_was_found() -> None:
    assert [host(**changes).setting for changes in ({}, {"root": False}, {"container": True, "namespaces": False})] == [
        "root",
        "user",
        "container",
    ]


def test_a_missing_cgroup_is_a_weakness_that_says_why_and_what_helps() -> None:
    report = assess(FULL, Grant(missing=dict.fromkeys(("memory", "pids", "cpu"), "Read-only file system")))
    cgroup = next(layer for layer in report.layers if layer.name == "cgroup")
    assert report.safe
    assert not cgroup.active and "Read-only file system" in cgroup.detail and cgroup.stands_in
    assert any("Read-only file system" in weakness and "Delegate=yes" in weakness for weakness in report.degraded)


def test_some_controllers_are_told_apart_from_others() -> None:
    report = assess(FULL, Grant(controllers=frozenset({"memory", "pids"}), missing={"cpu": "not delegated"}))
    cgroup = next(layer for layer in report.layers if layer.name == "cgroup")
    assert cgroup.active and "memory, pids" in cgroup.detail and "cpu: not delegated" in cgroup.detail
    assert report.degraded == []
