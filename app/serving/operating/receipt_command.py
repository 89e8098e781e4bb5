"""The command `gradroom receipt`, which says what a receipt proves."""

from hashlib import sha256
from pathlib import Path

import msgspec

from app.classroom.people import audit
from app.classroom.store.times import format_time
from app.classroom.work.receipts import ReceiptHolder, find_receipt, normalize_receipt
from app.grading.exercise_version import hash_exercise
from app.lessons.course.catalogue import load_courses
from app.serving.command_refused import CommandRefused
from app.serving.logs import escape_line
from app.serving.operating.operated_store import operated_store, print_json, write_audit
from app.serving.operating.store_commands import Say
from app.settings import Settings

PROVES_NOTHING = 1  # exit status


class Receipted(msgspec.Struct, kw_only=True):
    """What a receipt proves: that `learner` submitted the text with the hash `sha256` to `exercise` at the time `at`, with that verdict.

    `version` is the version of the exercise, its checks and the grader that graded it, and `current` says whether it is today's. Both are
    None for submissions that were stored before there were versions. `source` is the text. `intact` says whether it still has that hash,
    and `same_text` whether a given file has, or None without a file.
    """

    learner: str
    exercise: str
    at: str
    sha256: str
    passed: bool
    good: int
    total: int
    version: str | None
    current: bool | None
    source: str
    intact: bool
    same_text: bool | None = None


class ReceiptAnswer(msgspec.Struct, kw_only=True):
    """A receipt and what it proves. `imported_by` are learners who imported it with a zip, which proves nothing."""

    receipt: str
    proves: Receipted | None
    imported_by: list[str]


def check_receipt(settings: Settings, code: str, *, file: Path | None, show: bool, as_json: bool, say: Say) -> tuple[int, str]:
    """Return the exit status, and the text or JSON about a receipt. Raises CommandRefused."""
    given = None if file is None else read_given(file)  # read as root, because perhaps only root can
    receipt = normalize_receipt(code)
    with operated_store(settings) as database:
        found = database.read_here(find_receipt, receipt)
        for learner in sorted({one.learner for one in found}):
            write_audit(database, "receipt looked up", audit.name_learner(learner), receipt=receipt)
    own = [one for one in found if not one.imported]
    answer = ReceiptAnswer(
        receipt=receipt,
        proves=prove(settings, own[0], given) if own else None,
        imported_by=[one.learner for one in found if one.imported],
    )
    if not found:
        say(f"There is no receipt {receipt} here: it was never given by this server, or its learner’s work was deleted.")
    printed = print_json(answer) if as_json else "\n".join(describe(answer, show=show))
    proved = answer.proves is not None and answer.proves.intact and answer.proves.same_text is not False
    return (0 if proved else PROVES_NOTHING), printed


def read_given(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise CommandRefused(f"{file} cannot be read: {error.strerror}.") from None


def prove(settings: Settings, attempt: ReceiptHolder, given: bytes | None) -> Receipted:
    today = find_version(settings, attempt)
    return Receipted(
        learner=attempt.learner,
        exercise=f"{attempt.lesson}/{attempt.exercise}",
        at=format_time(attempt.at_ms),
        sha256=attempt.sha256,
        passed=attempt.passed,
        good=attempt.good,
        total=attempt.total,
        version=attempt.version,
        current=None if attempt.version is None else attempt.version == today,
        source=attempt.source,
        intact=sha256(attempt.source.encode()).hexdigest() == attempt.sha256,
        same_text=None if given is None else is_same(given, attempt.sha256),
    )


def find_version(settings: Settings, attempt: ReceiptHolder) -> str | None:
    """Return today's version of an exercise, or None if the course does not have it any more."""
    lesson = load_courses([settings.lessons_folder, *settings.course_folders]).lesson(attempt.lesson)
    exercise = lesson.exercise(attempt.exercise) if lesson else None
    return hash_exercise(lesson, exercise) if lesson and exercise else None


def is_same(given: bytes, digest: str) -> bool:
    """Return whether a file has the submitted text. Line ends may differ, and there may be one more or less at the end."""
    text = given.replace(b"\r\n", b"\n")
    return digest in {sha256(one).hexdigest() for one in (given, text, text.removesuffix(b"\n"), text + b"\n")}


def describe(answer: ReceiptAnswer, *, show: bool) -> list[str]:
    """Return the lines to print. Characters of the text that would control the terminal are escaped."""
    lines = []
    if one := answer.proves:
        verdict = "it passed" if one.passed else "it did not pass"
        lines = [
            f"Receipt {answer.receipt} proves:",
            f"  learner   {one.learner}",
            f"  submitted {one.at[:10]} at {one.at[11:19]} UTC",
            f"  to        {one.exercise}",
            f"  the text  with the SHA-256 hash {one.sha256}",
            f"  verdict   {verdict}: {one.good} of {one.total} checks",
            f"  graded    {describe_version(one)}",
        ]
        if not one.intact:
            lines.append("The stored text has another hash: it was changed by hand. What is stored proves nothing any more.")
        if one.same_text is not None:
            lines.append("The file is the text that was submitted." if one.same_text else "The file is NOT the text that was submitted.")
        if show:
            lines += ["", *("\t".join(map(escape_line, line.split("\t"))) for line in one.source.split("\n"))]
    if answer.imported_by:
        lines.append(
            f"An imported zip has it, too, in the work of {', '.join(answer.imported_by)}. That proves nothing: whoever has a zip can "
            "have written it."
        )
    return lines


def describe_version(proved: Receipted) -> str:
    if proved.version is None:
        return "by an unknown version: it was stored before versions were"
    same = "today’s version" if proved.current else "NOT today’s version: the exercise, its checks or the grader have changed since"
    return f"by {same} ({proved.version[:12]})"
