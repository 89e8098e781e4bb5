"""An operator lists, exports and erases classes."""

import json
from pathlib import Path

from app.classroom.classes.notes import add_note
from app.classroom.classes.school_classes import make_class
from tests.classroom.classes.sample_classes import NOW_MS, join_sample, make_sample, submit
from tests.serving.operating.stored import Gradroom, Stored


def test_a_class_is_listed_exported_and_erased(gradroom: Gradroom, stored: Stored, folder: Path) -> None:
    sample = stored.write(make_sample)
    joined = stored.write(join_sample, sample, "ann", "A name that only Ann chose")
    stored.write(add_note, sample.helper, sample.id, stored.write(submit, "ann"), 1, "A note", "Hal", NOW_MS)
    other = stored.write(make_class, sample.stranger, "Tuesday", NOW_MS)
    listed = json.loads(gradroom("class", "list", "--json").stdout)
    assert [(one["name"], one["teachers"], one["members"]) for one in listed] == [("Monday", ["Tess", "Hal"], 1), ("Tuesday", ["Sam"], 0)]
    assert "1 members, taught by Tess, Hal, made 2027-01-15" in gradroom("class", "list").stdout
    for name in (str(sample.id), "monday"):
        exported = gradroom("class", "export", name, str(folder / "class.json"))
        assert exported.returncode == 0, exported.stderr
    text = (folder / "class.json").read_text()
    found = json.loads(text)
    assert [one["text"] for one in found["note"]] == ["A note"] and [one["name"] for one in found["member_learner"]] == ["ann"]
    assert len(found["class_lesson"]) == 2 and joined.resume_code not in text and "sha256" not in text
    for person, status in (("Hal", 2), ("nobody", 2), ("sam", 0)):
        assert gradroom("class", "instructor", "Monday", person).returncode == status
    assert "taught by Sam, Tess, Hal, made" in gradroom("class", "list").stdout
    asked = gradroom("class", "erase", "Monday")  # standard input is empty
    assert (asked.returncode, len(stored.query("SELECT id FROM member"))) == (1, 1)
    assert "Erase the class Monday with its 1 members" in asked.stderr
    erased = gradroom("class", "erase", "--yes", "Monday")
    assert erased.returncode == 0 and erased.stderr.startswith("Erased the class Monday: 1 members; "), erased.stderr
    assert stored.query("SELECT name FROM school_class") == [("Tuesday",)]
    assert stored.query("SELECT count(*) FROM member") == [(0,)]
    assert stored.query("SELECT count(*) FROM attempt") == [(1,)]
    files = b"".join(file.read_bytes() for file in stored.file.parent.glob(f"{stored.file.name}*"))
    assert b"A name that only Ann chose" not in files
    assert [entry for entry in stored.list_audit() if entry[2] == f"class {sample.id}"] == []
    for name in ("Monday", "99", ""):
        refused = gradroom("class", "erase", "--yes", name)
        assert (refused.returncode, "There is no class" in refused.stderr) == (2, True)
    stored.write(make_class, sample.stranger, "tuesday", NOW_MS)
    assert f"2 classes are called Tuesday: name one by its number, {other}" in gradroom("class", "erase", "--yes", "Tuesday").stderr
