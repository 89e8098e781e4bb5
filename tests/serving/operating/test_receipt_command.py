"""What an operator learns from a receipt."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from app.classroom.people.audit import name_learner
from app.classroom.work.receipts import normalize_receipt
from app.grading.exercise_version import hash_exercise
from app.lessons.course.catalogue import load_catalogue
from app.serving.operating.receipt_command import is_same
from app.settings import Settings
from tests.serving.operating.stored import EXERCISE, LESSON, Gradroom, Stored

RECEIPT = "ABCD-EF01-2345-6789"


def todays_version(settings: Settings) -> str:
    lesson = load_catalogue(settings.lessons_folder).lesson(LESSON)
    assert lesson is not None
    exercise = lesson.exercise(EXERCISE)
    assert exercise is not None
    return hash_exercise(lesson, exercise)


@pytest.mark.parametrize("text", [RECEIPT, "abcd-ef01-2345-6789", "ABCDEFO1 2345 6789", "abcd-efoi-2345-6789"])
def test_a_receipt_is_read_as_people_write_it(text: str) -> None:
    assert normalize_receipt(text) == RECEIPT


def test_a_receipt_proves_who_submitted_what_to_what_and_when(gradroom: Gradroom, stored: Stored, settings: Settings) -> None:
    stored.submit("ann", RECEIPT, "x = 1\n", version=todays_version(settings))
    shown = gradroom("receipt", "--text", RECEIPT.lower())
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines() == [
        f"Receipt {RECEIPT} proves:",
        "  learner   ann",
        "  submitted 2025-11-24 at 16:00:00 UTC",
        f"  to        {LESSON}/{EXERCISE}",
        f"  the text  with the SHA-256 hash {sha256(b'x = 1' + bytes([10])).hexdigest()}",
        "  verdict   it passed: 2 of 2 checks",
        f"  graded    by today’s version ({todays_version(settings)[:12]})",
        "",
        "x = 1",
        "",
    ]
    assert stored.list_audit() == [("operator", "receipt looked up", name_learner("ann"))]


@pytest.mark.parametrize(
    ("version", "current", "words"), [(None, None, "by an unknown version"), ("0" * 64, False, "by NOT today’s version: the exercise")]
)
def test_another_version_is_said(gradroom: Gradroom, stored: Stored, version: str | None, current: bool | None, words: str) -> None:
    stored.submit("ann", RECEIPT, version=version)
    assert words in gradroom("receipt", RECEIPT).stdout
    proves = json.loads(gradroom("receipt", "--json", RECEIPT).stdout)["proves"]
    assert (proves["version"], proves["current"]) == (version, current)


def test_an_exercise_that_is_gone_is_not_todays(gradroom: Gradroom, stored: Stored, settings: Settings) -> None:
    stored.submit("ann", RECEIPT, version=todays_version(settings))
    stored.write(lambda connection: connection.exec_driver_sql("UPDATE attempt SET exercise = 'gone'"))
    assert "NOT today’s version" in gradroom("receipt", RECEIPT).stdout


def test_an_imported_receipt_proves_nothing(gradroom: Gradroom, stored: Stored) -> None:
    for name in ("bob", "ann"):
        stored.submit(name, RECEIPT)
    stored.write(lambda connection: connection.exec_driver_sql("UPDATE attempt SET imported = 1"))
    shown = gradroom("receipt", RECEIPT)
    assert shown.returncode == 1
    assert shown.stdout.startswith("An imported zip has it, too, in the work of ann, bob. That proves nothing")
    assert {subject for _, _, subject in stored.list_audit()} == {name_learner("ann"), name_learner("bob")}


def test_imports_of_others_take_nothing_from_the_servers_own(gradroom: Gradroom, stored: Stored) -> None:
    stored.submit("aaron", RECEIPT, "copied")
    stored.write(lambda connection: connection.exec_driver_sql("UPDATE attempt SET imported = 1"))
    stored.submit("zoe", RECEIPT, "own")
    answer = json.loads(gradroom("receipt", "--json", RECEIPT).stdout)
    assert (answer["proves"]["learner"], answer["imported_by"]) == ("zoe", ["aaron"])


def test_a_text_cannot_write_on_the_operators_terminal(gradroom: Gradroom, stored: Stored) -> None:
    stored.submit("ann", RECEIPT, "if x:\n\ty = 'é\x1b[2J\u202e'\r\n")
    assert gradroom("receipt", "--text", RECEIPT).stdout.endswith("\nif x:\n\ty = 'é\\x1b[2J\\u202e'\\r\n\n")


def test_what_is_no_text_is_refused_with_a_line(gradroom: Gradroom, stored: Stored) -> None:
    stored.submit("ann", RECEIPT)
    refused = gradroom("receipt", "\udcff")
    assert (refused.returncode, refused.stderr) == (2, "This is no text in UTF-8: '\\udcff'.\n")


def test_an_unknown_receipt_proves_nothing(gradroom: Gradroom, stored: Stored) -> None:
    stored.submit("ann", RECEIPT)
    shown = gradroom("receipt", "ABCD-EF01-2345-6788")
    assert (shown.returncode, shown.stdout) == (1, "")
    assert "There is no receipt ABCD-EF01-2345-6788 here" in shown.stderr
    assert stored.list_audit() == []


def test_a_text_changed_by_hand_is_noticed(gradroom: Gradroom, stored: Stored) -> None:
    stored.submit("ann", RECEIPT)
    stored.write(lambda connection: connection.exec_driver_sql("UPDATE attempt SET source = 'x = 2'"))
    shown = gradroom("receipt", RECEIPT)
    assert shown.returncode == 1
    assert "it was changed by hand" in shown.stdout


def test_a_file_is_compared_with_what_was_submitted(gradroom: Gradroom, stored: Stored, folder: Path) -> None:
    stored.submit("ann", RECEIPT, "x = 1\ny = 2\n")
    file = folder / "handed-in.py"
    file.write_bytes(b"x = 1\r\ny = 2\r\n")
    assert "The file is the text that was submitted." in gradroom("receipt", "--file", str(file), RECEIPT).stdout
    file.write_bytes(b"x = 1\ny = 3\n")
    other = gradroom("receipt", "--file", str(file), RECEIPT)
    assert other.returncode == 1
    assert "The file is NOT the text that was submitted." in other.stdout
    missing = gradroom("receipt", "--file", str(folder / "missing.py"), RECEIPT)
    assert (missing.returncode, missing.stderr) == (2, f"{folder}/missing.py cannot be read: No such file or directory.\n")


@pytest.mark.parametrize(
    ("given", "same"), [(b"a\nb", True), (b"a\r\nb", True), (b"a\nb\n", True), (b"a\n\nb", False), (b"a\nb\n\n", False)]
)
def test_only_the_ends_of_lines_may_differ(given: bytes, same: bool) -> None:
    assert is_same(given, sha256(b"a\nb").hexdigest()) == same
