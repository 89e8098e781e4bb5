"""The twins are run again after a change of anything on which their success depends."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.sandbox.hostile import twin_record
from tests.sandbox.hostile.twin_record import TwinRecord, find_change, hash_programs, load_record, record_success

RECORDED = TwinRecord(programs="ab", python="3.11", torch="2.0", kernels=["6.1 x86_64", "6.8 x86_64"])


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"kernels": ["6.8 x86_64"]}, None),
        ({"programs": "cd"}, "programs"),
        ({"python": "3.12"}, "python"),
        ({"torch": "2.1"}, "torch"),
        ({"kernels": ["6.8 aarch64"]}, "kernel"),
        ({"kernels": ["6.9 x86_64"]}, "kernel"),
    ],
)
def test_what_has_changed_is_named(changed: dict[str, object], what: str | None) -> None:
    assert find_change(RECORDED, replace(replace(RECORDED, kernels=["6.1 x86_64"]), **changed)) == what


def test_a_program_that_is_changed_by_a_letter_changes_the_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "programs" / "group"
    folder.mkdir(parents=True)
    for name in twin_record.ACTORS:
        (tmp_path / name).touch()
    monkeypatch.setattr(twin_record, "HERE", tmp_path)
    monkeypatch.setattr(twin_record, "PROGRAMS", tmp_path / "programs")
    hashes = set()
    for text in ("print(1)", "print(2)"):
        (folder / "name.py").write_text(text)
        hashes.add(hash_programs())
    (tmp_path / "twin.py").write_text("pass")
    assert len({*hashes, hash_programs()}) == 3


def test_other_words_about_the_code_that_runs_programs_change_nothing() -> None:
    code = "def run(row):\n    'Run it.'\n    return row\n"
    reworded = "# Twins\ndef run(row):\n    'Run a row, once.'\n\n    return row  # as it is\n"
    assert twin_record.strip_words(code) == twin_record.strip_words(reworded) != twin_record.strip_words(code.replace("row", "it"))


@pytest.mark.parametrize(("torch", "kernels"), [("2.0", 3), ("2.1", 1)])
def test_another_kernel_is_added_and_any_other_change_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, torch: str, kernels: int
) -> None:
    present = replace(RECORDED, torch=torch, kernels=["6.9 x86_64"])
    monkeypatch.setattr(twin_record, "FILE", tmp_path / "twins.json")
    monkeypatch.setattr(twin_record, "describe_present", lambda: RECORDED)
    twin_record.FILE.write_text('{"programs": "", "python": "", "torch": "", "kernels": []}')
    record_success()
    monkeypatch.setattr(twin_record, "describe_present", lambda: present)
    record_success()
    assert len(load_record().kernels) == kernels
    assert find_change(load_record(), present) is None
