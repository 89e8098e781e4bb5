"""The command `gradroom retention`, which counts the learners whose work will be deleted because they have not visited for long."""

import asyncio

import msgspec

from app.classroom.store.times import DAY_MS, now_ms
from app.classroom.work.retention import RetentionFigures, count_retained, delete_unseen
from app.serving.command_refused import CommandRefused
from app.serving.operating.operated_store import operated_store, print_json, wait_for_scrub, write_audit
from app.serving.operating.store_commands import Say
from app.settings import PREFIX, Settings


class RetentionAnswer(RetentionFigures, kw_only=True):
    """What the command prints as JSON. `deleted` is how many learners it has deleted."""

    deleted: int = 0


def show_retention(settings: Settings, *, days: int, now: bool, as_json: bool, say: Say) -> str:
    """Return the text or JSON about retention. If `now` is set, first delete the learners who are due. Raises CommandRefused."""
    if now and not settings.retention_days:
        raise CommandRefused(f"{PREFIX}RETENTION_DAYS is 0: nobody’s work is deleted because of its age.")
    with operated_store(settings) as database:
        figures = database.read_here(count_retained, settings.retention_days, days, now_ms())
        answer = RetentionAnswer(**msgspec.structs.asdict(figures))
        if now:
            answer.deleted = asyncio.run(delete_unseen(database, now_ms() - settings.retention_days * DAY_MS))
            write_audit(database, "retention run", count=answer.deleted)
            wait_for_scrub(database.scrub(), say)
    return print_json(answer) if as_json else describe_retention(answer, now=now)


def describe_retention(answer: RetentionAnswer, *, now: bool) -> str:
    if not answer.retention_days:
        return f"{PREFIX}RETENTION_DAYS is 0: nobody’s work is deleted because of its age."
    lines = [f"{PREFIX}RETENTION_DAYS is {answer.retention_days}: learners are deleted that many days after their last visit."]
    if now:
        lines.append(f"Deleted just now: {answer.deleted} learners.")
    else:
        lines.append(f"At the next check, which a server makes each hour: {answer.due} learners.")
    lines.append(f"Within {answer.days} days, unless they come back: {answer.soon - (answer.deleted if now else 0)} learners.")
    return "\n".join(lines)
