"""People who sign in, by their names.

Two names are the same if they differ only in the case of letters, in spaces, or in how Unicode writes a character.
"""

import unicodedata
from dataclasses import dataclass, replace

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from app.classroom.people.roles import Role
from app.classroom.store.schema.tables import NAME_CHARACTERS, PersonRow

PERSON = (PersonRow.id, PersonRow.name, PersonRow.role)
BLANK = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"  # letters and symbols that are drawn as nothing: fillers of Hangul, Braille, and music


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody who signs in."""

    id: int
    name: str
    role: Role


@dataclass(frozen=True, kw_only=True)
class ListedPerson:
    """A person as the operator sees them. `has_password` is false until the person has used a link."""

    person: Person
    made_ms: int
    has_password: bool


class BadName(ValueError):
    """A name that nobody can have: it is empty, too long, or has invisible characters."""


class NameTaken(ValueError):
    """Another person has this name."""


def make_name_key(name: str) -> str:
    """Return the form of a name in which it is compared. It is at most as long as the column that stores it."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).replace("\0", "")  # PostgreSQL takes no NUL
    return " ".join(folded.split())[:NAME_CHARACTERS]


def check_name(name: str) -> str:
    """Return a name without superfluous spaces. Raises BadName."""
    cleaned = unicodedata.normalize("NFC", " ".join(name.split()))
    if not cleaned or len(cleaned) > NAME_CHARACTERS or not make_name_key(cleaned):
        raise BadName(f"A name has from 1 to {NAME_CHARACTERS} characters.")
    if has_invisible(cleaned) or not has_visible(cleaned):
        raise BadName("A name has no invisible characters.")
    return cleaned


def has_invisible(text: str) -> bool:
    """Return whether a text has a control character, a character without a meaning, or one that is drawn as nothing."""
    return any(character in BLANK or unicodedata.category(character).startswith("C") for character in text)


def has_visible(text: str) -> bool:
    """Return whether a text has more than spaces and marks, which are drawn on the character before them."""
    return any(character not in BLANK and unicodedata.category(character)[0] in "LNPS" for character in text)


def make_person(connection: Connection, name: str, role: Role, now_ms: int) -> Person:
    """Make a person, who has no password yet. Raises BadName and NameTaken."""
    name = check_name(name)
    if find_person(connection, name):
        raise NameTaken(name)
    values = {"name": name, "name_key": make_name_key(name), "role": role, "made_ms": now_ms}
    try:
        with connection.begin_nested():
            person_id = connection.execute(insert(PersonRow).returning(PersonRow.id), values).scalar_one()
    except IntegrityError:  # another process was first
        raise NameTaken(name) from None
    return Person(id=person_id, name=name, role=role)


def find_person(connection: Connection, name: str) -> Person | None:
    """Return the person with this name, or None. Names are compared by their keys."""
    row = connection.execute(select(*PERSON).where(PersonRow.name_key == make_name_key(name))).one_or_none()
    return Person(id=row.id, name=row.name, role=Role(row.role)) if row else None


def list_people(connection: Connection) -> list[ListedPerson]:
    """Return all people by their names."""
    columns = (*PERSON, PersonRow.made_ms, PersonRow.password.is_not(None).label("has_password"))
    return [
        ListedPerson(person=Person(id=row.id, name=row.name, role=Role(row.role)), made_ms=row.made_ms, has_password=row.has_password)
        for row in connection.execute(select(*columns).order_by(PersonRow.name_key))
    ]


def rename_person(connection: Connection, person: Person, name: str) -> Person:
    """Give a person another name. Raises BadName and NameTaken."""
    name = check_name(name)
    namesake = find_person(connection, name)
    if namesake and namesake.id != person.id:
        raise NameTaken(name)
    connection.execute(update(PersonRow).where(PersonRow.id == person.id).values(name=name, name_key=make_name_key(name)))
    return replace(person, name=name)


def remove_person(connection: Connection, person_id: int) -> None:
    """Remove a person with their links and sessions, which foreign keys delete together with the person's row."""
    connection.execute(delete(PersonRow).where(PersonRow.id == person_id))


def read_password(connection: Connection, person_id: int, *, lock: bool = False) -> str | None:
    """Return the hash of a person's password, or None if the person has not chosen one.

    With `lock`, nobody else can change it, or remove the person, until the transaction ends.
    """
    query = select(PersonRow.password).where(PersonRow.id == person_id)
    return connection.scalar(query.with_for_update() if lock else query)


def set_password(connection: Connection, person_id: int, hashed: str) -> None:
    """Store the hash of a person's new password."""
    connection.execute(update(PersonRow).where(PersonRow.id == person_id).values(password=hashed))


def replace_hash(connection: Connection, person_id: int, old: str, new: str) -> None:
    """Store another hash of the same password, unless the password was changed meanwhile."""
    connection.execute(update(PersonRow).where(PersonRow.id == person_id, PersonRow.password == old).values(password=new))
