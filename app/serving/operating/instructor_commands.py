"""The work of the commands `gradroom instructor` in the database, which a server may be using."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from app.classroom.people import audit, people, sign_in_links
from app.classroom.people.people import BadName, NameTaken, Person
from app.classroom.people.roles import Role
from app.classroom.people.sign_in_links import LINK_DAYS
from app.classroom.store.times import now_ms, to_datetime
from app.serving.command_refused import CommandRefused
from app.serving.operating.operated_store import operated_store
from app.settings import Settings

T = TypeVar("T")


def add(settings: Settings, name: str, role: Role, address: str | None) -> str:
    """Add a person, and return lines with a link for them. Raises CommandRefused."""

    def make(connection: Connection) -> str:
        person = people.make_person(connection, name, role, now_ms())
        audit.append(connection, now_ms(), audit.COMMAND_LINE, "person_made", audit.name_person(person.name), role=role)
        return make_link(connection, person, address or settings.address)

    try:
        return change(settings, make)
    except NameTaken:
        raise CommandRefused(f"There is somebody of the name {name} already: `gradroom instructor link {name!r}` makes a link.") from None
    except BadName as error:
        raise CommandRefused(str(error)) from None


def link(settings: Settings, name: str, address: str | None) -> str:
    """Make a new link for a person, and return lines with it. Raises CommandRefused."""
    return change(settings, lambda connection: make_link(connection, require(connection, name), address or settings.address))


def list_lines(settings: Settings) -> list[str]:
    """Return a line for each person. Raises CommandRefused."""
    with operated_store(settings, may_make=True) as database:
        listed = database.read_here(people.list_people)
    if not listed:
        return ["Nobody yet: `gradroom instructor add NAME` adds somebody."]
    width = max(len(one.person.name) for one in listed)
    return [
        f"{one.person.name:<{width}}  {one.person.role:<10}  since {to_datetime(one.made_ms):%Y-%m-%d}"
        + ("" if one.has_password else "  has not chosen a password yet")
        for one in listed
    ]


def rename(settings: Settings, name: str, new_name: str) -> str:
    """Give a person another name, and return a message. Raises CommandRefused."""

    def make(connection: Connection) -> Person:
        old = require(connection, name)
        renamed = people.rename_person(connection, old, new_name)
        audit.append(connection, now_ms(), audit.COMMAND_LINE, "person_renamed", audit.name_person(renamed.name), before=old.name)
        return renamed

    try:
        return f"The name is {change(settings, make).name} now."
    except NameTaken:
        raise CommandRefused(f"There is somebody of the name {new_name} already.") from None
    except BadName as error:
        raise CommandRefused(str(error)) from None


def remove(settings: Settings, name: str) -> str:
    """Remove a person, and return a message. Raises CommandRefused."""

    def make(connection: Connection) -> Person:
        person = require(connection, name)
        people.remove_person(connection, person.id)
        audit.append(connection, now_ms(), audit.COMMAND_LINE, "person_removed", audit.name_person(person.name), role=person.role)
        return person

    return f"{change(settings, make).name} cannot sign in any more. What they did is still in the audit table."


def make_link(connection: Connection, person: Person, address: str) -> str:
    """Make a link for a person, and return lines with it. `address` is the server's."""
    audit.append(connection, now_ms(), audit.COMMAND_LINE, "link_made", audit.name_person(person.name))
    token = sign_in_links.make_link(connection, person.id, now_ms())
    return (
        f"With this link {person.name} ({person.role}) chooses a password. It works once, and ends after {LINK_DAYS} days or with a newer "
        f"one. Whoever has it can sign in, so send it to nobody else.\n{address.rstrip('/')}/sign-in/{token}"
    )


def require(connection: Connection, name: str) -> Person:
    person = people.find_person(connection, name)
    if person is None:
        raise CommandRefused(f"There is nobody of the name {name}: `gradroom instructor list` lists all.")
    return person


def change(settings: Settings, make: Callable[[Connection], T]) -> T:
    """Make a change in the database and wait for the commit. Raises CommandRefused, and what `make` raises."""
    with operated_store(settings, may_make=True) as database:
        return database.enqueue(make).result()
