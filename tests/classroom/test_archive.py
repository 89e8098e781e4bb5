"""Export and import: the same comes back, what is there stays, and no file that somebody made does any harm."""

import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, func, select

from app.classroom.archive_format import (
    Archive,
    ArchiveDamaged,
    ArchivedLesson,
    ArchiveFault,
    ArchiveForeign,
    ArchiveNotZip,
    ArchiveTooLarge,
    ArchiveTooNew,
    ImportAnswer,
    ImportCounts,
)
from app.classroom.archive_merge import MOST_DONE, merge_archive
from app.classroom.archive_reader import DIRECTORY_BYTES, MOST_RECORDS, BoundedFile, extract_data, read_archive
from app.classroom.archive_writer import name_file, write_archive
from app.classroom.attempts import keep_attempt, list_attempts, make_receipt, note_solution
from app.classroom.drafts import MOST_VERSIONS, keep_draft, read_draft
from app.classroom.kept import NewAttempt, TooMuchKept
from app.classroom.learners import note_kept, read_holdings, set_reviews
from app.classroom.predicted import keep_prediction
from app.classroom.tables import AttemptRow, DoneCellRow, LearnerRow, StandingRow, StoreTable
from app.classroom.times import DAY_MS

NOW_MS = 1_790_000_000_000
LIMIT = 64 << 20
LESSON = "backward-twice/cube"
VERDICT = '{"passed":%s,"checks":[{"id":"runs","passed":true,"reported":false,"message":null}],"mistake":null}'


def submit(connection: Connection, learner: str, source: str, *, passed: bool = False, lesson: str = LESSON, at_ms: int = NOW_MS) -> None:
    receipt = make_receipt(sha256(f"{learner} {source} {at_ms}".encode()).hexdigest()[:16], at_ms, sha256(source.encode()).hexdigest())
    attempt = NewAttempt(
        receipt=receipt, at_ms=at_ms, lesson=lesson, exercise="cube", key=None, source=source, seed=3, run_id="r-1",
        passed=passed, good=int(passed), total=1, mistake=None, verdict=VERDICT % str(passed).lower(), answer=b"{}",
    )  # fmt: skip
    keep_attempt(connection, learner=learner, attempt=attempt, limit_bytes=LIMIT)


def write(connection: Connection, learner: str, cell: str, source: str | None, version: int = 0, *, ran: bool = False) -> int:
    place = {"learner": learner, "lesson": LESSON, "cell": cell}
    return keep_draft(connection, **place, source=source, version=version, ran=ran, now_ms=NOW_MS, limit_bytes=LIMIT)


def work(connection: Connection, learner: str) -> None:
    """Something of each kind."""
    submit(connection, learner, "first = 1\n", at_ms=NOW_MS - 9)
    note_solution(connection, learner=learner, lesson=LESSON, exercise="cube", now_ms=NOW_MS - 8)
    submit(connection, learner, "second = '三'\n", passed=True, at_ms=NOW_MS - 7)
    submit(connection, learner, "third\n", at_ms=NOW_MS - 6)
    submit(connection, learner, "elsewhere\n", lesson="myths/one", passed=True)
    write(connection, learner, "cube", "x = 2\n", write(connection, learner, "cube", "x = 1\n", ran=True), ran=True)
    write(connection, learner, "exercise_cube", "cube = 3\n")
    write(connection, learner, "_rule", "Save what you need.")
    write(connection, learner, "reset", None, write(connection, learner, "reset", "y = 1\n"))
    for prediction, answer, right in (("grad", "1", False), ("shape", "[2,3]", True), ("shown", "null", None)):
        place = {"learner": learner, "lesson": LESSON, "prediction": prediction}
        keep_prediction(connection, **place, about="ab12", answer=answer, right=right, now_ms=NOW_MS - 5)
    keep_prediction(connection, learner=learner, lesson=LESSON, prediction="grad", about="ab12", answer="2.5", right=True, now_ms=NOW_MS)
    learner_id = note_kept(connection, learner, NOW_MS)
    connection.execute(DoneCellRow.__table__.insert().values(learner_id=learner_id, lesson=LESSON, cell="cube", at_ms=NOW_MS - 4))  # type: ignore[attr-defined]
    set_reviews(connection, learner, False, NOW_MS)


def export(connection: Connection, learner: str) -> bytes:
    return write_archive(connection, learner=learner, readme="Read me.", now_ms=NOW_MS)


def take(connection: Connection, learner: str, zipped: bytes, limit_bytes: int = LIMIT) -> ImportAnswer:
    archive = read_archive(zipped, limit_bytes=limit_bytes, now_ms=NOW_MS)
    return merge_archive(connection, learner=learner, archive=archive, now_ms=NOW_MS, limit_bytes=limit_bytes)


def data_of(zipped: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(zipped)) as opened:
        data: dict[str, Any] = json.loads(opened.read("data.json"))
    return data


def all_rows(connection: Connection) -> dict[str, list[Any]]:
    return {name: sorted(map(repr, connection.execute(select(table)))) for name, table in StoreTable.metadata.tables.items()}


def without_origin(data: dict[str, Any]) -> dict[str, Any]:
    """The data of an export, without where it was made: when first something was kept, and whether attempts were imported."""
    data = deepcopy(data) | {"made_ms": None}
    for lesson in data["lessons"].values():
        for exercise in lesson["exercises"].values():
            for attempt in exercise["attempts"]:
                del attempt["imported"]
    return data


def pack(data: object, name: str = "data.json", kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", kind) as zipped:
        zipped.writestr(name, data if isinstance(data, bytes | str) else json.dumps(data))
    return buffer.getvalue()


def test_an_export_has_data_and_files_to_read(connection: Connection) -> None:
    work(connection, "ada-secret-cookie")
    zipped = export(connection, "ada-secret-cookie")
    with zipfile.ZipFile(io.BytesIO(zipped)) as opened:
        assert opened.testzip() is None
        texts = {name: opened.read(name).decode() for name in opened.namelist()}
    assert "ada-secret-cookie" not in "".join(texts.values())
    data = json.loads(texts.pop("data.json"))
    assert texts == {
        "README.txt": "Read me.",
        "backward-twice/cube/cube.py": "x = 2\n",
        "backward-twice/cube/cube/draft.py": "cube = 3\n",
        "backward-twice/cube/rule.txt": "Save what you need.",
        "backward-twice/cube/cube/latest.py": "third\n",
        "backward-twice/cube/cube/passed.py": "second = '三'\n",
        "myths/one/cube/latest.py": "elsewhere\n",
        "myths/one/cube/passed.py": "elsewhere\n",
    }
    lesson = data["lessons"][LESSON]
    assert lesson["cells"] == {"cube": NOW_MS - 4}
    assert lesson["predictions"]["grad"] | {"card": None} == {
        "about": "ab12", "first_answer": 1, "first_right": False, "first_ms": NOW_MS - 5, "last_answer": 2.5, "last_right": True,
        "last_ms": NOW_MS, "times": 2, "card": None,
    }  # fmt: skip
    exercise = lesson["exercises"]["cube"]
    assert exercise["standing"] == "shown" and exercise["shown_ms"] == NOW_MS - 8 and exercise["passed_ms"] == NOW_MS - 7
    assert [attempt["source"] for attempt in exercise["attempts"]] == ["first = 1\n", "second = '三'\n", "third\n"]
    assert exercise["attempts"][1]["verdict"]["passed"] is True
    assert [version["source"] for version in lesson["drafts"]["cube"]["versions"]] == ["x = 1\n", "x = 2\n"]
    assert data["reviews"] is False


def test_who_has_nothing_kept_gets_an_export_that_says_so(connection: Connection) -> None:
    zipped = export(connection, "nobody")
    assert data_of(zipped)["lessons"] == {}
    assert take(connection, "nobody", zipped) == ImportAnswer(taken=ImportCounts(), already=ImportCounts())
    assert read_holdings(connection, "nobody").made_ms is None


def test_what_was_exported_comes_back_whole_on_another_device(connection: Connection) -> None:
    work(connection, "ada")
    zipped = export(connection, "ada")
    answer = take(connection, "eve", zipped)
    assert answer.taken == ImportCounts(cells=1, predictions=3, exercises=2, attempts=4, drafts=4, versions=3)
    assert (answer.already, answer.beside) == (ImportCounts(), 0)
    assert without_origin(data_of(export(connection, "eve"))) == without_origin(data_of(zipped))
    before, after = read_holdings(connection, "ada"), read_holdings(connection, "eve")
    assert after == msgspec.structs.replace(before, made_ms=NOW_MS, seen_ms=NOW_MS)
    due = select(StoreTable.metadata.tables["prediction"].c.due_ms).where(StoreTable.metadata.tables["prediction"].c.prediction == "grad")
    assert len(set(connection.execute(due).scalars())) == 1
    assert all(one.imported for one in list_attempts(connection, learner="eve", lesson=LESSON, exercise="cube"))


def test_importing_twice_changes_nothing(connection: Connection) -> None:
    work(connection, "ada")
    zipped = export(connection, "ada")
    take(connection, "eve", zipped)
    rows = all_rows(connection)
    answer = take(connection, "eve", zipped)
    assert answer == ImportAnswer(
        taken=ImportCounts(), already=ImportCounts(cells=1, predictions=3, exercises=2, attempts=4, drafts=4, versions=3), beside=0
    )
    assert all_rows(connection) == rows


def test_a_draft_that_differs_goes_beside_the_learners_own_once(connection: Connection) -> None:
    work(connection, "ada")
    zipped = export(connection, "ada")
    write(connection, "eve", "cube", "mine = 1\n", ran=True)
    answer = take(connection, "eve", zipped)
    assert (answer.beside, answer.taken.drafts) == (1, 3)
    draft, versions = read_draft(connection, learner="eve", lesson=LESSON, cell="cube")
    assert draft is not None and draft.source == "mine = 1\n"
    told = [(one.why, one.source) for one in versions]
    assert told == [("imported", "x = 2\n"), ("run", "x = 1\n"), ("run", "mine = 1\n")]
    rows = all_rows(connection)
    assert take(connection, "eve", zipped).beside == 0
    assert all_rows(connection) == rows


def test_the_newest_earlier_texts_of_a_learner_are_kept_when_there_is_no_room(connection: Connection) -> None:
    version = 0
    for number in range(MOST_VERSIONS + 5):
        version = write(connection, "ada", "cube", f"theirs = {number}\n", version, ran=True)
    write(connection, "ada", "cube", "theirs, not run\n", version)
    version = 0
    for number in range(MOST_VERSIONS - 2):
        version = write(connection, "eve", "cube", f"mine = {number}\n", version, ran=True)
    zipped = export(connection, "ada")
    answer = take(connection, "eve", zipped)
    assert (answer.taken.versions, answer.beside) == (2, 1)
    _, versions = read_draft(connection, learner="eve", lesson=LESSON, cell="cube")
    assert len(versions) == MOST_VERSIONS
    assert [one.source for one in versions[:4]] == ["theirs, not run\n", "theirs = 54\n", "theirs = 53\n", f"mine = {MOST_VERSIONS - 3}\n"]
    rows = all_rows(connection)
    take(connection, "eve", zipped)
    assert all_rows(connection) == rows


@pytest.mark.parametrize(
    ("theirs", "mine", "together"),
    [("passed", "tried", "passed"), ("tried", "passed", "passed"), ("new", "shown", "shown"), ("shown", "passed", "passed")],
)
def test_a_standing_is_never_taken_away(connection: Connection, theirs: str, mine: str, together: str) -> None:
    for learner, standing in (("ada", theirs), ("eve", mine)):
        learner_id = note_kept(connection, learner, NOW_MS)
        values = {"learner_id": learner_id, "lesson": LESSON, "exercise": "cube", "standing": standing, "hints": 1 + (learner == "ada")}
        connection.execute(StandingRow.__table__.insert().values(passed_ms=NOW_MS if standing in ("passed", "shown") else None, **values))  # type: ignore[attr-defined]
    take(connection, "eve", export(connection, "ada"))
    row = connection.execute(select(StandingRow.__table__).where(StandingRow.learner_id == learner_id)).one()
    assert (row.standing, row.hints, row.passed_ms) == (together, 2, None if together == "tried" else NOW_MS)


def test_the_first_answer_to_a_question_stays(connection: Connection) -> None:
    for learner, answer in (("ada", "1"), ("eve", "2")):
        place = {"learner": learner, "lesson": LESSON, "prediction": "grad"}
        keep_prediction(connection, **place, about="ab", answer=answer, right=True, now_ms=NOW_MS)
    assert take(connection, "eve", export(connection, "ada")).already.predictions == 1
    assert data_of(export(connection, "eve"))["lessons"][LESSON]["predictions"]["grad"]["first_answer"] == 2


def test_times_of_a_clock_that_is_ahead_become_now(connection: Connection) -> None:
    submit(connection, "ada", "x", at_ms=NOW_MS + DAY_MS // 2)
    take(connection, "eve", export(connection, "ada"))
    times = connection.execute(select(AttemptRow.at_ms).where(AttemptRow.imported)).scalars().all()
    assert times == [NOW_MS]


def test_over_the_limit_nothing_is_taken(connection: Connection) -> None:
    work(connection, "ada")
    zipped = export(connection, "ada")
    used = read_holdings(connection, "ada").bytes
    rows = all_rows(connection)
    savepoint = connection.begin_nested()
    with pytest.raises(TooMuchKept):
        take(connection, "eve", zipped, used - 1)
    savepoint.rollback()
    assert all_rows(connection) == rows
    take(connection, "eve", zipped, used)
    assert read_holdings(connection, "eve").bytes == used


def of_lessons(**lessons: Any) -> bytes:
    return pack({**json.loads(HEAD + "{}}"), "lessons": {f"a/{name}": lesson for name, lesson in lessons.items()}})


@pytest.mark.parametrize("names", ["many", "more"])
def test_no_page_is_made_long_by_what_no_course_has(connection: Connection, names: str) -> None:
    draft = {"draft": {"version": 1, "source": "x" * 30_000, "at_ms": 1}}
    lesson = {"drafts": {f"c{number}": draft for number in range(40)}}
    with pytest.raises(TooMuchKept):
        take(connection, "eve", of_lessons(long=lesson))
    connection.rollback()
    cells = {name: dict.fromkeys((f"{name}{number}" for number in range(MOST_DONE // 2 + 1)), 1) for name in ("many", "more")}
    take(connection, "eve", of_lessons(many={"cells": cells[names]}))
    with pytest.raises(TooMuchKept):
        take(connection, "eve", of_lessons(**{name: {"cells": some} for name, some in cells.items()}))


# ——— files that somebody made ———


@pytest.fixture
def data(connection: Connection) -> dict[str, Any]:
    work(connection, "ada")
    return data_of(export(connection, "ada"))


def at(data: dict[str, Any], *path: str | int) -> Any:
    found: Any = data["lessons"][LESSON]
    for step in path:
        found = found[step]
    return found


ATTEMPT = ("exercises", "cube", "attempts", 0)
PREDICTION = ("predictions", "grad")


def put(*path: str | int, value: object) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        *before, last = path
        at(data, *before)[last] = value

    return change


def rename(*path: str, to: str) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        *before, last = path
        parent = at(data, *before)
        parent[to] = parent.pop(last)

    return change


def rename_lesson(to: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["lessons"].update({to: data["lessons"].pop(LESSON)})


NAMES = ("../x", "/etc/x", "a\\b", "C:x", "a" * 65, "A", "", "a\n", "a\x00", ".", "..", "ünder", "a--b", "con.")
PATHS = ("../../etc", "a/../b", "a", "a/b/c", "/a/b", "a/b\n", "a" * 70 + "/" + "b" * 70)
BAD: dict[str, Callable[[dict[str, Any]], None]] = {
    **{f"the cell {name[:9]!r}": rename("cells", "cube", to=name) for name in NAMES},
    **{f"the draft {name[:9]!r}": rename("drafts", "cube", to=name) for name in (*NAMES, "exercise_", "exercise__rule", "_other")},
    **{f"the exercise {name[:9]!r}": rename("exercises", "cube", to=name) for name in NAMES},
    **{f"the lesson {name[:9]!r}": rename_lesson(name) for name in PATHS},
    "a program with a lone surrogate": put(*ATTEMPT, "source", value="\ud800"),
    "a program with a character that PostgreSQL does not keep": put("drafts", "cube", "draft", "source", value="x\0"),
    "a mistake with one": put(*ATTEMPT, "verdict", value={"passed": False, "checks": [], "mistake": "\0"}),
    "a program that is too long": put("drafts", "cube", "draft", "source", value="é" * 40_000),
    "a program that was changed": put(*ATTEMPT, "source", value="other"),
    "a hash that is none": put(*ATTEMPT, "sha256", value="0" * 63),
    "a receipt that is none": put(*ATTEMPT, "receipt", value="<script>"),
    "a long receipt": put(*ATTEMPT, "receipt", value="a" * 33),
    "a seed below zero": put(*ATTEMPT, "seed", value=-1),
    "a huge number": put(*ATTEMPT, "good", value=10**4000),
    "more checks than there are": put(*ATTEMPT, "total", value=1000),
    "more good checks than checks": put(*ATTEMPT, "good", value=2),
    "a verdict that is none": put(*ATTEMPT, "verdict", value={"passed": "yes"}),
    "a verdict of too many checks": put(*ATTEMPT, "verdict", value={"passed": True, "checks": [{"id": "a", "passed": True}] * 65}),
    "a time to come": put(*ATTEMPT, "at_ms", value=NOW_MS + DAY_MS + 1),
    "a time before time": put("cells", "cube", value=-1),
    "a cell's time to come": put("cells", "cube", value=NOW_MS + 2 * DAY_MS),
    "a time that is a fraction": put("cells", "cube", value=0.5),
    "true for a number": put(*PREDICTION, "times", value=True),
    "an answer of another form": put(*PREDICTION, "first_answer", value={"a": 1}),
    "a long answer": put(*PREDICTION, "first_answer", value="a" * 201),
    "a long shape": put(*PREDICTION, "last_answer", value=[1] * 65),
    "a question that is none": put(*PREDICTION, "about", value="a b"),
    "a card that is none": put(*PREDICTION, "card", value={}),
    "a card without a time zone": put(*PREDICTION, "card", "due", value="2026-01-01T00:00:00"),
    "a card out of bounds": put(*PREDICTION, "card", "stability", value=1e300),
    "a standing that is none": put("exercises", "cube", "standing", value="best"),
    "a reason that is none": put("drafts", "cube", "versions", 0, "why", value="because"),
    "a version twice": put("drafts", "cube", "versions", 1, "number", value=1),
    "a version that cannot be counted on": put("drafts", "cube", "draft", "version", value=2**31),
    "another field": put("other", value=1),
    "a list for an object": put("cells", value=[]),
    "no lessons": lambda data: data.pop("lessons"),
    "reviews that are a word": lambda data: data.update(reviews="yes"),
}  # fmt: skip


@pytest.mark.parametrize("bad", BAD)
def test_what_is_not_as_it_was_written_is_refused_as_a_whole(data: dict[str, Any], bad: str) -> None:
    read_archive(pack(data), limit_bytes=LIMIT, now_ms=NOW_MS)
    BAD[bad](data)
    with pytest.raises(ArchiveDamaged):
        read_archive(pack(json.dumps(data)), limit_bytes=LIMIT, now_ms=NOW_MS)


def twice(data: bytes) -> bytes:
    buffer = io.BytesIO(pack(data))
    with zipfile.ZipFile(buffer, "a") as zipped, pytest.warns(UserWarning, match="Duplicate"):
        zipped.writestr("data.json", data)
    return buffer.getvalue()


def patch_sizes(zipped: bytes) -> bytes:
    """The zip says that what it holds is small."""
    place = zipped.rindex(b"PK\x01\x02") + 24
    return zipped[:place] + (10).to_bytes(4, "little") + zipped[place + 4 :]


def encrypt(zipped: bytes) -> bytes:
    """The zip says that what it holds is encrypted."""
    changed = bytearray(zipped)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        changed[zipped.index(signature) + offset] |= 1
    return bytes(changed)


def nested(depth: int, opening: str = "[", closing: str = "]") -> str:
    return opening * depth + closing * depth


HEAD = '{"format": "gradroom", "version": 1, "exported_ms": 1, "made_ms": null, "lesson": null, "reviews": true, "lessons": '
EMPTY = (HEAD + "{}}").encode()
CELLS = {f"c{number}": 1 for number in range(MOST_RECORDS + 1)}
CRC = zlib.crc32(EMPTY).to_bytes(4, "little")
FILES: dict[str, tuple[type[ArchiveFault], Callable[[], bytes]]] = {
    "nothing": (ArchiveNotZip, lambda: b""),
    "a text": (ArchiveNotZip, lambda: b"PK, but no zip"),
    "JSON": (ArchiveNotZip, lambda: EMPTY),
    "a picture": (ArchiveNotZip, lambda: b"\x89PNG\r\n\x1a\n" + bytes(1000)),
    "a zip without data.json": (ArchiveForeign, lambda: pack(EMPTY, "other.json")),
    "a zip with data.json in a folder": (ArchiveForeign, lambda: pack(EMPTY, "../data.json")),
    "a zip with data.json twice": (ArchiveForeign, lambda: twice(EMPTY)),
    "another program's data.json": (ArchiveForeign, lambda: pack({"version": 1})),
    "a list": (ArchiveDamaged, lambda: pack([])),
    "a later version": (ArchiveTooNew, lambda: pack({"format": "gradroom", "version": 2, "lessons": "otherwise"})),
    "an encrypted one": (ArchiveForeign, lambda: encrypt(pack(EMPTY))),
    "one packed with LZMA": (ArchiveForeign, lambda: pack(EMPTY, kind=zipfile.ZIP_LZMA)),
    "one packed with bzip2": (ArchiveForeign, lambda: pack(EMPTY, kind=zipfile.ZIP_BZIP2)),
    "one with a wrong checksum": (ArchiveDamaged, lambda: pack(EMPTY).replace(CRC, bytes(4))),
    "one that is cut off": (ArchiveDamaged, lambda: pack(EMPTY)[:-30]),
    "JSON that is cut off": (ArchiveDamaged, lambda: pack(EMPTY[:-3])),
    "bytes that are no text": (ArchiveDamaged, lambda: pack(HEAD.encode() + b'{"\xff": 1}}')),
    "a bomb": (ArchiveTooLarge, lambda: pack(bytes(8 << 20))),
    "a bomb that lies about its size": (ArchiveFault, lambda: patch_sizes(pack(bytes(8 << 20)))),
    "deep lists": (ArchiveDamaged, lambda: pack(HEAD + nested(10**5) + "}")),
    "deep objects": (ArchiveDamaged, lambda: pack(HEAD + '{"a/b": ' + nested(10**5, '{"a":', "}")[:-1] + "}}")),
    "a deep lesson": (ArchiveDamaged, lambda: pack(HEAD + '{"a/b": {"cells": ' + nested(10**5) + "}}}")),
    "a number of a million digits": (ArchiveDamaged, lambda: pack(HEAD.replace(": 1,", ": " + "9" * 10**6 + ",", 1) + "{}}")),
    "too many records": (ArchiveTooLarge, lambda: pack(HEAD + '{"a/b": {"cells": ' + json.dumps(CELLS) + "}}}")),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_export_is_told_apart(name: str) -> None:
    fault, make = FILES[name]
    with pytest.raises(fault) as raised:
        read_archive(make(), limit_bytes=1 << 20, now_ms=NOW_MS)
    assert fault is ArchiveFault or type(raised.value) is fault


def test_an_empty_export_is_read() -> None:
    assert isinstance(read_archive(pack(EMPTY), limit_bytes=LIMIT, now_ms=NOW_MS), Archive)


def test_a_zip_with_a_long_list_of_files_is_refused_before_the_list_is_read() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as zipped:
        zipped.writestr("data.json", EMPTY)
        for number in range(DIRECTORY_BYTES // 1000):
            zipped.writestr(f"{number:04}" + "x" * 1000, b"")
    with pytest.raises(ArchiveTooLarge):
        extract_data(buffer.getvalue(), LIMIT)
    with pytest.raises(ArchiveTooLarge):
        BoundedFile(bytes(DIRECTORY_BYTES + 1)).read()


def test_what_is_inflated_is_bounded_by_what_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    original = zipfile.ZipExtFile.read

    def note(self: zipfile.ZipExtFile, n: int | None = -1) -> bytes:
        piece = original(self, n)
        read.append(len(piece))
        return piece

    monkeypatch.setattr(zipfile.ZipExtFile, "read", note)
    with pytest.raises(ArchiveTooLarge):
        extract_data(pack(bytes(20 << 20)), 2 << 20)
    assert sum(read) <= 4 << 20


@settings(max_examples=300, deadline=None)
@given(cut=st.integers(0, 700), change=st.lists(st.tuples(st.integers(0, 699), st.integers(0, 255)), max_size=6))
def test_no_change_of_a_zip_does_more_than_a_fault(cut: int, change: list[tuple[int, int]]) -> None:
    zipped = bytearray(pack(EMPTY))
    for place, value in change:
        zipped[place % len(zipped)] = value
    with suppress(ArchiveFault):
        read_archive(bytes(zipped[: max(0, len(zipped) - cut)]), limit_bytes=LIMIT, now_ms=NOW_MS)


NAMED = st.from_regex(r"\A[a-z0-9]{1,8}(-[a-z0-9]{1,8})?\Z")
TIMES = st.integers(0, NOW_MS)
SOURCES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60)

NUMBERS = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
SAID = st.one_of(st.none(), NUMBERS, SOURCES, st.lists(st.integers(0, 9)))


@st.composite
def attempts(draw: st.DrawFn) -> dict[str, object]:
    source, passed = draw(SOURCES), draw(st.booleans())
    total = draw(st.integers(0, 64))
    return {
        "receipt": draw(st.from_regex(r"\A[0-9A-Z-]{1,32}\Z")), "at_ms": 0, "sha256": sha256(source.encode()).hexdigest(), "source": source,
        "seed": draw(st.integers(0, 2**32 - 1)), "run": "r", "good": draw(st.integers(0, total)), "total": total,
        "verdict": json.loads(VERDICT % str(passed).lower()), "imported": True,
    }  # fmt: skip


def name_on(sources: list[str]) -> list[dict[str, object]]:
    return [{"number": place, "why": "run", "source": source, "at_ms": place} for place, source in enumerate(sources, 3)]


LESSONS = st.fixed_dictionaries(
    {
        "cells": st.dictionaries(NAMED, TIMES, max_size=3),
        "predictions": st.dictionaries(
            NAMED,
            st.fixed_dictionaries({
                "about": st.just("ab"), "first_answer": SAID,
                "first_right": st.sampled_from([True, False, None]), "first_ms": TIMES, "last_answer": st.none(), "last_right": st.none(),
                "last_ms": TIMES, "times": st.integers(1, 9), "card": st.none(),
            }),
            max_size=3,
        ),
        "exercises": st.dictionaries(
            NAMED,
            st.fixed_dictionaries({
                "standing": st.sampled_from(["new", "tried"]), "hints": st.integers(0, 3), "passed_ms": st.none(),
                "shown_ms": st.none() | TIMES, "attempts": st.lists(attempts(), max_size=3),
            }),
            max_size=3,
        ),
        "drafts": st.dictionaries(
            st.one_of(NAMED, NAMED.map("exercise_{}".format), st.just("_rule")),
            st.fixed_dictionaries({
                "draft": st.fixed_dictionaries({"version": st.integers(1, 99), "source": st.none() | SOURCES, "at_ms": TIMES}),
                "versions": st.lists(SOURCES, max_size=4).map(name_on),
            }),
            max_size=3,
        ),
    }
)  # fmt: skip


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(lessons=st.dictionaries(st.tuples(NAMED, NAMED).map("/".join), LESSONS, max_size=3))
def test_whatever_was_imported_is_exported_the_same(connection: Connection, lessons: dict[str, Any]) -> None:
    receipts: set[str] = set()
    for lesson in lessons.values():
        for exercise in lesson["exercises"].values():
            kept = [one for one in exercise["attempts"] if one["receipt"] not in receipts and not receipts.add(one["receipt"])]  # type: ignore[func-returns-value]
            exercise["attempts"] = kept
    savepoint = connection.begin_nested()
    take(connection, "eve", pack({**json.loads(HEAD + "{}}"), "lessons": lessons}))
    exported = data_of(export(connection, "eve"))["lessons"]
    assert exported == {path: lesson for path, lesson in lessons.items() if any(lesson.values())}
    rows = all_rows(connection)
    take(connection, "eve", pack({**json.loads(HEAD + "{}}"), "lessons": lessons}))
    assert all_rows(connection) == rows
    savepoint.rollback()
    assert connection.execute(select(func.count()).select_from(LearnerRow)).scalar() == 0


@given(
    parts=st.lists(
        st.one_of(st.text(max_size=8), st.sampled_from(["..", "/", "con", "aux", "_rule", "a", "\\", "a/b"])), min_size=1, max_size=4
    )
)
def test_a_file_is_named_plainly_or_not_at_all(parts: list[str]) -> None:
    name = name_file(*parts)
    assert name == "" or re.fullmatch(r"[a-z0-9_-]+(/[a-z0-9_-]+)*\.(py|txt)", name)
    assert not {"con", "aux"} & set(re.split(r"[./]", name))


def test_a_lesson_has_only_the_fields_that_are_written() -> None:
    assert msgspec.json.decode(msgspec.json.encode(ArchivedLesson()), type=ArchivedLesson) == ArchivedLesson()
