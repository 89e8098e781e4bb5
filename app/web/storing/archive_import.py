"""Imports an archive. The whole archive is checked against the bounds, and then stored in parts, so that others can save in between."""

import asyncio

from msgspec import Raw

from app.classroom.archive.archive_format import (
    Archive,
    ArchiveBound,
    ArchiveDamaged,
    ArchiveFault,
    ArchiveForeign,
    ArchiveNotZip,
    ArchiveTooLarge,
    ArchiveTooNew,
    ImportAnswer,
)
from app.classroom.archive.archive_merge import add_up, begin_merge, merge_part, plan_merge
from app.classroom.archive.archive_parts import ArchivePart, divide_lesson
from app.classroom.archive.archive_reader import read_lesson
from app.classroom.store.database import Database
from app.classroom.store.faults.store_faults import StoreFault
from app.classroom.store.stored_work_types import TooMuchStored
from app.classroom.store.times import now_ms
from app.locale.messages import mark
from app.web.guards.principal import Principal
from app.web.http.errors import ApiError, ImportInterrupted, NoLearner
from app.web.storing.learner_store import LearnerStore

FAULTS: dict[type[Exception], tuple[int, str, str]] = {
    ArchiveNotZip: (422, "not_zip", mark("This file is not a zip. Choose the zip that you exported from Gradroom.")),
    ArchiveForeign: (422, "not_export", mark("This zip is not an export from Gradroom. Choose the zip that you exported.")),
    ArchiveTooNew: (422, "later_version", mark("This export was made by a later version of Gradroom, which this server cannot read yet.")),
    ArchiveDamaged: (422, "damaged", mark("This export is damaged: it was cut off or changed. Export again, and choose the new file.")),
    TooMuchStored: (
        413,
        "too_much_kept",
        mark("With this file, the server would keep more of your work than it may keep for one person. Nothing was imported."),
    ),
}
BOUNDS: dict[ArchiveBound, str] = {
    "zip": mark("the zip may have at most {most} MiB"),
    "files": mark("at most some {most} files may be in it"),
    "bytes": mark("its data.json may have at most {most} MiB"),
    "ratio": mark("its data.json may be at most {most} times as large as the zip"),
    "records": mark("its data.json may have at most {most} records"),
}


async def import_archive(database: Database, store: LearnerStore, principal: Principal, archive: Archive, limit_bytes: int) -> ImportAnswer:
    """Store a checked archive. `limit_bytes` bounds the texts that are stored of one learner.

    Raises NoLearner, TooMuchStored or StoreFault if nothing was stored, and ImportInterrupted if only a part was stored.
    """
    if principal.learner is None:
        raise NoLearner
    answer = add_up([])
    if not archive.lessons:
        return answer
    at_ms = now_ms()
    added_bytes = await database.read(plan_merge, principal.learner, archive=archive, now_ms=at_ms, limit_bytes=limit_bytes)
    await store.reserve(principal, added_bytes)
    await store.write_reserved(principal, begin_merge, archive=archive, now_ms=at_ms)
    try:
        for path, raw in archive.lessons.items():
            for part in await asyncio.to_thread(read_parts, path, raw):
                merged = await store.write_reserved(principal, merge_part, part=part, now_ms=at_ms, limit_bytes=limit_bytes)
                answer = add_up([answer, merged])
    except StoreFault as fault:
        raise ImportInterrupted(fault.reason) from fault
    except TooMuchStored as fault:
        raise ImportInterrupted("too_much") from fault
    return answer


def read_parts(path: str, raw: Raw) -> list[ArchivePart]:
    return list(divide_lesson(path, read_lesson(raw)))


def refuse(fault: ArchiveFault | TooMuchStored) -> ApiError:
    """Return the error answer for a file that cannot be imported."""
    match fault:
        case ArchiveTooLarge(bound=bound, most=most):
            return ApiError(
                "archive_too_large",
                mark("This file holds more than this server accepts: {expected}. Nothing was imported."),
                expected=BOUNDS[bound],
                status=413,
                most=f"{most:,}",
            )
        case ArchiveDamaged(field=field) if field:
            return ApiError(
                "damaged",
                mark("This export is damaged: {field} is not as Gradroom writes it. Export again, and choose the new file."),
                field,
                status=422,
            )
        case _:
            status, code, message = FAULTS[type(fault)]
            return ApiError(code, message, status=status)
