"""An operator finds, exports and erases learners."""

import json
import os
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from app.classroom.people.audit import name_learner
from app.classroom.store.stored_work_types import Holdings
from app.classroom.work.forgotten_learners import is_forgotten
from app.serving.operating.learner_commands import describe_rest
from app.settings import Settings
from tests.serving.operating.stored import EXERCISE, LESSON, NOW_MS, Gradroom, Stored

WORDS = "a sentence that only Ann wrote"


def test_a_learner_is_found_by_the_beginning_of_a_name_and_by_a_receipt(gradroom: Gradroom, stored: Stored) -> None:
    stored.submit("-ann_Xy12", "ABCD-EF01-2345-6789")
    stored.draft("bob", "b = 2")
    for text in ("-ann_", "-ann_Xy12", "ABCD-EF01-2345-6789", "abcdefo1 2345 6789"):
        found = gradroom("learner", "find", text)
        assert (found.returncode, found.stderr) == (0, ""), text
        assert found.stdout.splitlines()[0] == "-ann_Xy12"
        assert f"first stored 2025-11-24, last seen 2025-11-24, last lesson {LESSON}" in found.stdout
        assert "1 submissions, 0 drafts" in found.stdout
    described = json.loads(gradroom("learner", "find", "--json", "bob").stdout)
    assert [(one["name"], one["holdings"]["drafts"], one["holdings"]["made_ms"]) for one in described] == [("bob", 1, NOW_MS)]


@pytest.mark.parametrize("text", ["ann_", "-ANN", "%nn", "1234-5678-9999-0000", "a sentence"])
def test_nobody_is_found_by_anything_else(gradroom: Gradroom, stored: Stored, text: str) -> None:
    stored.submit("-ann_Xy12", "ABCD-EF01-2345-6789")
    stored.draft("-ann_Xy12", WORDS)
    found = gradroom("learner", "find", text)
    assert (found.returncode, found.stdout, found.stderr) == (1, "", "No learner has this name or receipt.\n")


def test_two_letters_are_not_enough_and_a_missing_database_is_not_made(gradroom: Gradroom, stored: Stored) -> None:
    assert "at least 3 letters" in gradroom("learner", "find", "an").stderr
    missing = gradroom("learner", "find", "ann")
    assert (missing.returncode, missing.stderr) == (2, f"There is no database {stored.file}.\n")
    assert not stored.file.exists()


def test_an_export_is_the_learners_own_zip_and_is_recorded(gradroom: Gradroom, stored: Stored, folder: Path) -> None:
    stored.submit("-ann", "ABCD-EF01-2345-6789", "x = 1")
    stored.draft("-ann", "y = 2")
    stored.draft("bob", "z = 3")
    exported = gradroom("learner", "export", "-ann", str(folder / "ann.zip"))
    assert exported.returncode == 0, exported.stderr
    with zipfile.ZipFile(folder / "ann.zip") as zipped:
        texts = {name: zipped.read(name).decode() for name in zipped.namelist()}
    assert (folder / "ann.zip").stat().st_uid == os.geteuid()
    assert (folder / "ann.zip").stat().st_mode & 0o777 == 0o600
    assert texts[f"{LESSON}/slope.py"] == "y = 2"
    assert texts[f"{LESSON}/{EXERCISE}/latest.py"] == "x = 1"
    assert "What you did in Gradroom, exported on" in texts["README.txt"]
    assert "z = 3" not in texts["data.json"]
    assert stored.list_audit() == [("operator", "learner exported", name_learner("-ann"))]


def test_nothing_is_exported_of_nobody(gradroom: Gradroom, stored: Stored, folder: Path) -> None:
    stored.draft("bob", "z = 3")
    refused = gradroom("learner", "export", "ann", str(folder / "ann.zip"))
    assert refused.returncode == 2
    assert "Nothing is stored of a learner ann" in refused.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["course", "state"]


def test_erasing_asks_first(gradroom: Gradroom, stored: Stored) -> None:
    stored.draft("ann", WORDS)
    asked = gradroom("learner", "erase", "ann")  # standard input is empty
    assert asked.returncode == 1
    assert "Erase everything that is stored of ann?" in asked.stderr
    assert stored.query("SELECT name FROM learner") == [("ann",)]


def test_an_erased_learner_is_in_no_table_and_in_no_file(gradroom: Gradroom, stored: Stored) -> None:
    for name in ("ann", "bob"):
        stored.submit(name, f"{name}-1", f"{WORDS} {name}")
        stored.draft(name, f"{WORDS} {name}")
        stored.audit("receipt looked up", name_learner(name))
    erased = gradroom("learner", "erase", "--yes", "ann")
    assert erased.returncode == 0, erased.stderr
    assert erased.stderr.startswith("Erased ann: 1 submissions, 1 drafts, 0 earlier texts")
    assert "1 entries of the audit table." in erased.stderr
    tables = [name for (name,) in stored.query("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%learner_id%'")]
    assert len(tables) == 8, tables
    assert stored.query("SELECT name FROM learner") == [("bob",)]
    owners = {one for table in tables for one in stored.query(f"SELECT learner_id FROM {table}")}
    assert owners == set(stored.query("SELECT id FROM learner"))
    assert stored.list_audit() == [("person ada", "receipt looked up", name_learner("bob")), ("operator", "learner erased", None)]
    files = b"".join(file.read_bytes() for file in stored.file.parent.glob(f"{stored.file.name}*"))
    assert f"{WORDS} ann".encode() not in files
    assert f"{WORDS} bob".encode() in files


def test_what_an_erased_learner_still_sends_is_refused(gradroom: Gradroom, stored: Stored) -> None:
    stored.draft("ann", WORDS)
    assert gradroom("learner", "erase", "--yes", "ann").returncode == 0
    assert stored.write(is_forgotten, "ann")
    assert not stored.write(is_forgotten, "bob")


def test_the_backups_that_still_have_the_work_are_named(gradroom: Gradroom, stored: Stored, settings: Settings) -> None:
    stored.draft("ann", WORDS)
    backup, aside = stored.file.parent / "monday.backup", stored.file.parent / "classroom.sqlite3.before-20251201T000000Z-abcd"
    assert gradroom("backup", str(backup)).returncode == 0
    for path, made_ms in ((backup, NOW_MS + 86_400_000), (stored.file.parent / "earlier.backup", NOW_MS - 1)):
        path.write_bytes(backup.read_bytes())
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("UPDATE backup SET made_ms = ?", (made_ms,))
    aside.write_bytes(stored.file.read_bytes())
    os.utime(aside, (1_764_600_000, 1_764_600_000))
    for path in (backup, aside):
        path.chmod(0o644)
    said = gradroom("learner", "erase", "--yes", "ann").stderr
    assert f"  {backup}, of 2025-11-25\n  {aside}, of 2025-12-01\n" in said
    assert "earlier.backup" not in said
    assert "So do backups that you made elsewhere, and zips that were exported." in said
    assert "By GRADROOM_RETENTION_DAYS it would have been deleted on 2026-12-29" in said
    assert "After restoring one of them, erase again: gradroom learner erase ann" in said
    assert said.endswith("The learner’s browser has a copy of its own. What they change there is stored again, under a new name.\n")


def test_without_retention_no_day_is_promised(settings: Settings) -> None:
    lines = list(describe_rest(settings.model_copy(update={"retention_days": 0}), "ann", Holdings(made_ms=1, seen_ms=1)))
    assert lines[0] == "No backup beside the database has it."
    assert "GRADROOM_RETENTION_DAYS is 0" in lines[2]


def test_migrating_tells_of_learners_who_were_deleted_with_another_program(gradroom: Gradroom, stored: Stored) -> None:
    stored.draft("ann", WORDS)
    with closing(sqlite3.connect(stored.file)) as connection, connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute("DELETE FROM learner")
    migrated = gradroom("migrate")
    assert migrated.returncode == 0
    assert migrated.stderr.startswith("Deleted 1 rows of learners who had been deleted with another program.")
    assert stored.query("SELECT * FROM draft") == []
    assert "nothing was changed" in gradroom("migrate").stderr
