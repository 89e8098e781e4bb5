"""Sessions: the browsers in which a person is signed in.

A session ends when its person ends it, when it was not used for IDLE_DAYS, and in any case after LIFE_DAYS. Of the random tokens of
sessions and links the store has only hashes, so that a copy of the database signs nobody in.
"""

import secrets
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import ColumnElement, Connection, delete, insert, or_, select, update

from app.classroom.people.people import PERSON, Person
from app.classroom.people.roles import Role
from app.classroom.store.schema.tables import PersonRow, PersonSessionRow
from app.classroom.store.times import DAY_MS

IDLE_DAYS = 14
LIFE_DAYS = 90
SEEN_MS = 10 * 60 * 1000  # after which the time of the last use is stored again
CLIENT_CHARACTERS = 200
TOKEN_BYTES = 32


@dataclass(frozen=True, kw_only=True)
class FoundSession:
    """A session that has not ended, and its person."""

    id: int
    person: Person
    seen_ms: int


@dataclass(frozen=True, kw_only=True)
class ListedSession:
    """A session as its person sees it. `client` is the browser's User-Agent."""

    id: int
    client: str
    made_ms: int
    seen_ms: int


def make_token() -> str:
    """Return a token of 256 random bits that can be a part of a URL."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> str:
    """Return the form in which a token is stored. The token is random, so it needs no slow hash."""
    return sha256(token.encode()).hexdigest()


def make_session(connection: Connection, person_id: int, client: str, now_ms: int) -> str:
    """Start a session of a person, and return the token for the cookie. Sessions that have ended are deleted."""
    connection.execute(delete(PersonSessionRow).where(has_ended(now_ms)))
    token = make_token()
    connection.execute(
        insert(PersonSessionRow).values(
            person_id=person_id, token_sha256=hash_token(token), made_ms=now_ms, seen_ms=now_ms, client=client[:CLIENT_CHARACTERS]
        )
    )
    return token


def find_session(connection: Connection, token: str, now_ms: int) -> FoundSession | None:
    """Return the session of a cookie's token, or None if it has ended or never existed."""
    row = connection.execute(
        select(*PERSON, PersonSessionRow.id.label("session_id"), PersonSessionRow.seen_ms)
        .join(PersonRow, PersonRow.id == PersonSessionRow.person_id)
        .where(PersonSessionRow.token_sha256 == hash_token(token), ~has_ended(now_ms))
    ).one_or_none()
    if row is None:
        return None
    return FoundSession(id=row.session_id, person=Person(id=row.id, name=row.name, role=Role(row.role)), seen_ms=row.seen_ms)


def record_use(connection: Connection, session_id: int, now_ms: int) -> None:
    """Store when a session was last used. It can then be unused for another IDLE_DAYS."""
    connection.execute(
        update(PersonSessionRow).where(PersonSessionRow.id == session_id, PersonSessionRow.seen_ms < now_ms).values(seen_ms=now_ms)
    )


def list_sessions(connection: Connection, person_id: int, now_ms: int) -> list[ListedSession]:
    """Return the sessions of a person, the last used first."""
    newest_first = (
        select(PersonSessionRow.id, PersonSessionRow.client, PersonSessionRow.made_ms, PersonSessionRow.seen_ms)
        .where(PersonSessionRow.person_id == person_id, ~has_ended(now_ms))
        .order_by(PersonSessionRow.seen_ms.desc(), PersonSessionRow.id.desc())
    )
    return [ListedSession(**row._asdict()) for row in connection.execute(newest_first)]


def end_session(connection: Connection, person_id: int, session_id: int) -> bool:
    """End one session of a person. Return whether the person had it."""
    own = delete(PersonSessionRow).where(PersonSessionRow.person_id == person_id, PersonSessionRow.id == session_id)
    return connection.execute(own).rowcount > 0


def end_sessions(connection: Connection, person_id: int, *, but: int | None = None) -> int:
    """End all sessions of a person, except the one with the id `but`. Return how many were ended."""
    own = delete(PersonSessionRow).where(PersonSessionRow.person_id == person_id)
    return connection.execute(own if but is None else own.where(PersonSessionRow.id != but)).rowcount


def has_ended(now_ms: int) -> ColumnElement[bool]:
    return or_(PersonSessionRow.seen_ms <= now_ms - IDLE_DAYS * DAY_MS, PersonSessionRow.made_ms <= now_ms - LIFE_DAYS * DAY_MS)
