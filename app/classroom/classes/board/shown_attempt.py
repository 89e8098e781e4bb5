"""An attempt to show on a projector, without its member's name and student number."""

import io
import re
import tokenize
from collections.abc import Callable, Sequence

import msgspec
from sqlalchemy import Connection, select

from app.classroom.classes.class_faults import NoMember
from app.classroom.store.schema.class_tables import MemberLearnerRow, MemberRow
from app.classroom.store.schema.tables import AttemptRow
from app.classroom.store.stored_work_types import StoredAttempt
from app.classroom.work.attempts import COLUMNS, parse_attempt

MASK = "…"
LEAST_CHARACTERS = 3  # of a part of a name; a shorter part is probably a word of the program
TEXTS = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}  # the last is new in Python 3.12
WORD = re.compile(r"\w+")
LATIN = re.compile(r"[\x00-\u024f]+")


class ShownAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt that may be shown to the class. In comments and strings of its source, MASK replaces the member's name and number.

    `mask` does the same to any other text.
    """

    lesson: str
    exercise: str
    attempt: StoredAttempt
    mask: Callable[[str], str]


def read_shown(connection: Connection, class_id: int, attempt_id: int) -> ShownAttempt:
    """Return an attempt of a member of the class. Raises NoMember if no member made it, or if the class may not see it."""
    row = connection.execute(
        select(MemberRow.name.label("member_name"), MemberRow.number, AttemptRow.lesson, AttemptRow.exercise, *COLUMNS)
        .join(MemberLearnerRow, MemberLearnerRow.learner_id == AttemptRow.learner_id)
        .join(MemberRow, MemberRow.id == MemberLearnerRow.member_id)
        .where(
            AttemptRow.id == attempt_id,
            MemberLearnerRow.class_id == class_id,
            MemberRow.left_ms.is_(None),
            AttemptRow.at_ms >= MemberLearnerRow.since_ms,
        )
    ).one_or_none()
    if row is None:
        raise NoMember
    mask = masker([row.member_name, row.number or ""])
    attempt = parse_attempt(row)
    attempt = msgspec.structs.replace(attempt, source=mask_source(attempt.source, mask))
    return ShownAttempt(lesson=row.lesson, exercise=row.exercise, attempt=attempt, mask=mask)


def masker(names: Sequence[str]) -> Callable[[str], str]:
    """Return a function that replaces these names and their parts with MASK. Case does not matter."""
    whole = {name.strip() for name in names} - {""}
    parts = {
        part
        for name in whole
        for part in (*name.split(), *WORD.findall(name))
        if len(part) >= LEAST_CHARACTERS or not LATIN.fullmatch(part)
    }
    if not whole:
        return lambda text: text
    longest_first = sorted(whole | parts, key=len, reverse=True)
    pattern = re.compile("|".join(map(bound, longest_first)), re.IGNORECASE)
    return lambda text: pattern.sub(MASK, text)


def bound(part: str) -> str:
    """Return a pattern for a part of a name. A part of Latin letters matches only as a whole word."""
    return rf"(?<![^\W_]){re.escape(part)}(?![^\W_])" if LATIN.fullmatch(part) else re.escape(part)


def mask_source(source: str, mask: Callable[[str], str]) -> str:
    """Return a program with masked comments and strings. Its behaviour stays the same, except for its output.

    A program that cannot be tokenized cannot run either, so all of it is masked.
    """
    lines = list(io.StringIO(source))
    try:
        tokens = [one for one in tokenize.generate_tokens(io.StringIO(source).readline) if one.type in TEXTS]
    except (tokenize.TokenError, SyntaxError):
        return mask(source)
    for token in reversed(tokens):
        (row, begin), (last, end) = token.start, token.end
        before, after = lines[row - 1][:begin], lines[last - 1][end:]
        text = "".join(lines[row - 1 : last])
        lines[row - 1 : last] = [before + mask(text[begin : len(text) - len(after)]) + after]
    return "".join(lines)
