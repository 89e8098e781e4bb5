"""Links that sign a person in once, to choose a password. A link ends after some days, when it is used, or when a newer one is made."""

from sqlalchemy import Connection, delete, insert, select

from app.classroom.people.people import PERSON, Person
from app.classroom.people.person_sessions import hash_token, make_token
from app.classroom.people.roles import Role
from app.classroom.store.schema.tables import PersonRow, SignInLinkRow
from app.classroom.store.times import DAY_MS

LINK_DAYS = 3


def make_link(connection: Connection, person_id: int, now_ms: int) -> str:
    """Make a link for a person, and return its token. The person's earlier links end."""
    end_links(connection, person_id)
    connection.execute(delete(SignInLinkRow).where(SignInLinkRow.expires_ms <= now_ms))
    token = make_token()
    connection.execute(
        insert(SignInLinkRow).values(token_sha256=hash_token(token), person_id=person_id, expires_ms=now_ms + LINK_DAYS * DAY_MS)
    )
    return token


def find_link(connection: Connection, token: str, now_ms: int) -> Person | None:
    """Return the person whom a link would sign in, or None if it has ended or never existed."""
    row = connection.execute(
        select(*PERSON)
        .join(SignInLinkRow, SignInLinkRow.person_id == PersonRow.id)
        .where(SignInLinkRow.token_sha256 == hash_token(token), SignInLinkRow.expires_ms > now_ms)
    ).one_or_none()
    return Person(id=row.id, name=row.name, role=Role(row.role)) if row else None


def use_link(connection: Connection, token: str, now_ms: int) -> Person | None:
    """End a link, and return the person whom it signs in, or None. If several requests use it at once, only one gets the person."""
    person = find_link(connection, token, now_ms)
    used = connection.execute(delete(SignInLinkRow).where(SignInLinkRow.token_sha256 == hash_token(token))).rowcount
    return person if used else None


def end_links(connection: Connection, person_id: int) -> None:
    """End all links of a person."""
    connection.execute(delete(SignInLinkRow).where(SignInLinkRow.person_id == person_id))
