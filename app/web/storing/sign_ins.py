"""Signs people in and out: with a name and a password, or with a link that works once.

The audit table records each of these, and each time that wrong tries make the next one wait.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from app.classroom.people import audit, people, person_sessions, sign_in_links, wrong_sign_ins
from app.classroom.people.passwords import Passwords, TooManySignIns, check_password
from app.classroom.people.people import Person
from app.classroom.people.person_sessions import ListedSession
from app.classroom.people.wrong_sign_ins import NAME, Sources, Try
from app.classroom.store.database import Database
from app.classroom.store.times import now_ms
from app.web.guards.person_cookies import PersonCookies
from app.web.guards.principal import Principal

T = TypeVar("T")
P = ParamSpec("P")
NO_ID = 0  # no person has it


class WrongSignIn(Exception):
    """The name or the password is wrong."""


class SignInTooEarly(Exception):
    """After wrong tries, the next one must wait for `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class LinkEnded(Exception):
    """A link was used, has ended, or never existed."""


@dataclass(frozen=True, kw_only=True)
class SignedIn:
    """A person who has signed in. `token` identifies the session in its cookie."""

    person: Person
    token: str


@dataclass(frozen=True, kw_only=True)
class Verified:
    """A person whose password was right, and the hash of that password."""

    person: Person
    hashed: str


class SignIns:
    """Signs people in and out. Every method raises StoreFault, and TooManySignIns if too many passwords are being verified."""

    def __init__(self, database: Database, cookies: PersonCookies, passwords: Passwords) -> None:
        self._database, self._cookies, self._passwords = database, cookies, passwords

    async def sign_in(
        self, principal: Principal, name: str, password: str, client: str, knows_browser: Callable[[int], str | None]
    ) -> SignedIn:
        """Sign a person in with a password. Raises WrongSignIn and SignInTooEarly.

        `knows_browser` returns a string that identifies this browser if the person with the given id has signed in with it, else None.
        """
        person = await self._database.read(people.find_person, name)
        browser = knows_browser(person.id) if person else None
        sources = wrong_sign_ins.sources_of(people.make_name_key(name), principal.address, browser)
        verified = await self._verify(principal, person, password, sources, is_known=browser is not None)
        return await self._write(start_session, principal, verified, client)

    async def find_link(self, token: str) -> Person:
        """Return the person whom a link signs in. Raises LinkEnded."""
        person = await self._database.read(sign_in_links.find_link, token, now_ms())
        if person is None:
            raise LinkEnded
        return person

    async def use_link(self, principal: Principal, token: str, password: str, client: str) -> SignedIn:
        """Set a person's password by means of a link, and sign them in. All their other sessions end. Raises LinkEnded and WeakPassword."""
        person = await self.find_link(token)
        check_password(password, person.name)
        hashed = await self._passwords.hash(password)
        return await self._write(follow_link, principal, token, hashed, client)

    async def change_password(self, principal: Principal, person: Person, old: str, new: str) -> None:
        """Change the password of a person who is signed in. Their other sessions end.

        Raises WrongSignIn if the old password is wrong, SignInTooEarly, and WeakPassword.
        """
        check_password(new, person.name)
        sources = wrong_sign_ins.sources_of(people.make_name_key(person.name), principal.address, f"session {principal.session_id}")
        verified = await self._verify(principal, person, old, sources, is_known=True)
        await self._write(replace_password, principal, verified, await self._passwords.hash(new))

    async def list_sessions(self, person: Person) -> list[ListedSession]:
        return await self._database.read(person_sessions.list_sessions, person.id, now_ms())

    async def end_session(self, principal: Principal, person: Person, session_id: int) -> bool:
        """End a session of the person. Return whether the person had it."""
        return await self._write(end_one, principal, person, session_id)

    async def end_others(self, principal: Principal, person: Person) -> int:
        """End all sessions of the person but this one. Return how many it ended."""
        return await self._write(end_others, principal, person)

    def close(self) -> None:
        self._passwords.close()

    async def _verify(self, principal: Principal, person: Person | None, password: str, sources: Sources, *, is_known: bool) -> Verified:
        """Verify a password. Raises WrongSignIn and SignInTooEarly.

        Neither the exception nor the time that it takes shows whether the person exists.
        """
        stored, wait_ms = await self._database.read(read_chance, person, sources)
        begun = Try(wait_ms=wait_ms, count=0) if wait_ms else await self._database.write(wrong_sign_ins.begin_try, sources, now_ms())
        if begun.wait_ms:
            raise SignInTooEarly(ceil(begun.wait_ms / 1000))
        try:
            right = await self._passwords.verify(stored, password, "known" if is_known else "stranger")
        except TooManySignIns:
            await self._database.write(wrong_sign_ins.take_back, sources)
            raise
        if person is None or stored is None or not right:
            if begun.count % NAME.free == 0:
                self._database.enqueue(record_slowed, principal, person, begun.count)
            raise WrongSignIn
        await self._database.write(wrong_sign_ins.end_right, sources)
        rehashed = await self._passwords.rehash(stored, password)
        if rehashed:
            await self._database.write(people.replace_hash, person.id, stored, rehashed)
        return Verified(person=person, hashed=rehashed or stored)

    async def _write(self, change: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Make a change, even if the client leaves meanwhile. Then empty the cache of sessions."""
        writing = self._database.enqueue(change, *args, **kwargs)
        writing.add_done_callback(lambda _: self._cookies.forget())
        return await asyncio.shield(asyncio.wrap_future(writing))


def read_chance(connection: Connection, person: Person | None, sources: Sources) -> tuple[str | None, int]:
    """Return the hash of a person's password, and how many milliseconds a try must wait. This makes no commit."""
    stored = people.read_password(connection, person.id if person else NO_ID)
    return stored, wrong_sign_ins.read_wait(connection, sources, now_ms())


def record_slowed(connection: Connection, principal: Principal, person: Person | None, tries: int) -> None:
    """Record in the audit table that `tries` wrong tries make the next one wait. The name is left out if nobody has it."""
    subject = audit.name_person(person.name) if person else None
    audit.append(connection, now_ms(), audit.SERVER, "sign_in_slowed", subject, tries=tries, address=principal.address)


def start_session(connection: Connection, principal: Principal, verified: Verified, client: str) -> SignedIn:
    """Sign in a person whose password was verified. Raises WrongSignIn if it was changed or the person removed meanwhile."""
    require_unchanged(connection, verified)
    return SignedIn(person=verified.person, token=open_session(connection, principal, verified.person, client, "signed_in"))


def require_unchanged(connection: Connection, verified: Verified) -> None:
    """Raise WrongSignIn if the password was changed since it was verified. Later changes wait for this, and end its session."""
    if people.read_password(connection, verified.person.id, lock=True) != verified.hashed:
        raise WrongSignIn


def open_session(connection: Connection, principal: Principal, person: Person, client: str, action: str) -> str:
    """Make a session for a person and return its token. A session that this browser had before ends."""
    now, actor = now_ms(), audit.name_person(person.name)
    if principal.person and principal.session_id is not None:
        person_sessions.end_session(connection, principal.person.id, principal.session_id)
    audit.append(connection, now, actor, action, actor, address=principal.address)
    return person_sessions.make_session(connection, person.id, client, now)


def follow_link(connection: Connection, principal: Principal, token: str, hashed: str, client: str) -> SignedIn:
    """Use a link to set a password and to sign in. Raises LinkEnded."""
    person = sign_in_links.use_link(connection, token, now_ms())
    if person is None:
        raise LinkEnded
    people.set_password(connection, person.id, hashed)
    person_sessions.end_sessions(connection, person.id)
    return SignedIn(person=person, token=open_session(connection, principal, person, client, "link_used"))


def replace_password(connection: Connection, principal: Principal, verified: Verified, hashed: str) -> None:
    """Change a person's password, and end their links and other sessions. Raises WrongSignIn like `start_session`."""
    require_unchanged(connection, verified)
    person = verified.person
    people.set_password(connection, person.id, hashed)
    sign_in_links.end_links(connection, person.id)
    ended = person_sessions.end_sessions(connection, person.id, but=principal.session_id)
    audit.append(connection, now_ms(), audit.name_person(person.name), "password_changed", audit.name_person(person.name), ended=ended)


def end_one(connection: Connection, principal: Principal, person: Person, session_id: int) -> bool:
    ended = person_sessions.end_session(connection, person.id, session_id)
    if ended:
        action = "signed_out" if session_id == principal.session_id else "session_ended"
        audit.append(connection, now_ms(), audit.name_person(person.name), action, audit.name_person(person.name))
    return ended


def end_others(connection: Connection, principal: Principal, person: Person) -> int:
    ended = person_sessions.end_sessions(connection, person.id, but=principal.session_id)
    audit.append(connection, now_ms(), audit.name_person(person.name), "sessions_ended", audit.name_person(person.name), ended=ended)
    return ended
