"""Reading archives: no forged file does harm, and what can be imported is exported unchanged."""

import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, func, select

from app.classroom.archive.archive_format import (
    Archive,
    ArchiveDamaged,
    ArchivedLesson,
    ArchiveFault,
    ArchiveForeign,
    ArchiveNotZip,
    ArchiveTooLarge,
    ArchiveTooNew,
)
from app.classroom.archive.archive_reader import DIRECTORY_BYTES, MOST_RECORDS, BoundedFile, extract_data, read_archive
from app.classroom.archive.archive_writer import name_file
from app.classroom.store.engine import make_engine
from app.classroom.store.schema import schema
from app.classroom.store.schema.tables import LearnerRow
from app.classroom.store.times import DAY_MS
from tests.classroom.sample_archives import (
    HEAD,
    LESSON,
    LIMIT,
    NOW_MS,
    VERDICT,
    all_rows,
    data_of,
    export,
    pack,
    take,
    work,
)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the data of an export as JSON. Each kind of database exports the same: test_archive.py."""
    engine = make_engine(f"sqlite:///{tmp_path_factory.mktemp('store')}/classroom.sqlite3", writes=True)
    with engine.connect() as connection:
        schema.make_tables(connection)
        work(connection, "ada")
        data = data_of(export(connection, "ada"))
    engine.dispose()
    return json.dumps(data)


@pytest.fixture
def data(written: str) -> dict[str, Any]:
    changeable: dict[str, Any] = json.loads(written)
    return changeable


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
    "a card without stability": put(*PREDICTION, "card", "stability", value=None),
    "a card that was never answered": put(*PREDICTION, "card", "last_review", value=None),
    "a card that is being learnt": put(*PREDICTION, "card", "state", value=1),
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


def test_a_card_that_is_refused_is_named_with_its_field(data: dict[str, Any]) -> None:
    put(*PREDICTION, "card", "stability", value=None)(data)
    with pytest.raises(ArchiveDamaged) as raised:
        read_archive(pack(data), limit_bytes=LIMIT, now_ms=NOW_MS)
    assert raised.value.field == f"{LESSON} predictions.grad.card.stability"


def twice(data: bytes) -> bytes:
    buffer = io.BytesIO(pack(data))
    with zipfile.ZipFile(buffer, "a") as zipped, pytest.warns(UserWarning, match="Duplicate"):
        zipped.writestr("data.json", data)
    return buffer.getvalue()


def patch_sizes(zipped: bytes) -> bytes:
    """Change the zip so that it says that its file is small."""
    place = zipped.rindex(b"PK\x01\x02") + 24
    return zipped[:place] + (10).to_bytes(4, "little") + zipped[place + 4 :]


def encrypt(zipped: bytes) -> bytes:
    """Change the zip so that it says that its file is encrypted."""
    changed = bytearray(zipped)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        changed[zipped.index(signature) + offset] |= 1
    return bytes(changed)


def nested(depth: int, opening: str = "[", closing: str = "]") -> str:
    return opening * depth + closing * depth


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
