"""The requests of an attack are valid, so that the server does not refuse them before the attack can do harm."""

from app.classroom.archive.archive_reader import check_lesson, read_archive, read_lesson
from app.classroom.store.times import now_ms
from app.protocol.limits import MEBIBYTE
from tests.load.attacks.large_imports import RECORDS, make_zip


def test_the_zip_of_large_imports_is_small_and_is_an_export_to_the_server() -> None:
    data = make_zip()
    assert len(data) < 100_000
    archive = read_archive(data, limit_bytes=64 * MEBIBYTE, now_ms=now_ms())
    assert sum(check_lesson(path, read_lesson(raw), now_ms()) for path, raw in archive.lessons.items()) == RECORDS + 1
