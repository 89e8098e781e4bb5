"""The cookie of a person who is signed in. It names a session in the store, and is not the learner's cookie.

The cookie is signed, so that a forged one costs no query. Sessions are cached for CACHED_SECONDS. A session that this process ends is
ended at once; one that another process or a command ends stays valid here until the cache expires.
"""

import secrets
import time
from collections import OrderedDict

from itsdangerous import BadSignature, Signer
from starlette.requests import HTTPConnection

from app.classroom.people import person_sessions
from app.classroom.people.person_sessions import LIFE_DAYS, SEEN_MS, FoundSession
from app.classroom.store.database import Database
from app.classroom.store.times import now_ms

PERSON_COOKIE = "person"
SECURE_PREFIX = "__Host-"  # browsers take such a cookie only over HTTPS, and from no other host of the domain
BROWSER_COOKIE = "known-{person_id}"  # marks a browser in which this person has signed in; others may have, too
BROWSER_SECONDS = 400 * 24 * 3600
CACHED_SECONDS = 3.0
MOST_CACHED = 2000


class PersonCookies:
    """Makes and reads the cookies of people. `secret` is the key that signs them."""

    def __init__(self, database: Database, secret: str) -> None:
        self._database = database
        self._signer, self._browsers = Signer(secret, salt="person"), Signer(secret, salt="browser")
        self._cache: OrderedDict[str, tuple[float, FoundSession | None]] = OrderedDict()
        self._changes = 0

    def header(self, token: str, *, secure: bool) -> str:
        """Return a Set-Cookie header for a session."""
        return write_cookie(PERSON_COOKIE, self._signer.sign(token).decode(), LIFE_DAYS * 24 * 3600, secure=secure)

    def browser_header(self, person_id: int, *, secure: bool) -> str:
        """Return a Set-Cookie header that lets `knows_browser` recognize this browser even after the session."""
        value = self._browsers.sign(f"{person_id}-{secrets.token_urlsafe(12)}").decode()
        return write_cookie(BROWSER_COOKIE.format(person_id=person_id), value, BROWSER_SECONDS, secure=secure)

    def knows_browser(self, request: HTTPConnection, person_id: int) -> str | None:
        """Return a string that identifies the request's browser, or None if this person never signed in with it."""
        name = name_cookie(BROWSER_COOKIE.format(person_id=person_id), secure=is_secure(request))
        try:
            browser = self._browsers.unsign(request.cookies.get(name, "")).decode()
        except BadSignature:
            return None
        return browser if browser.partition("-")[0] == str(person_id) else None

    async def read(self, request: HTTPConnection) -> FoundSession | None:
        """Return the session that the request's cookie names, or None. Raises StoreFault. A request without a cookie needs no query."""
        cookie = request.cookies.get(name_cookie(PERSON_COOKIE, secure=is_secure(request)))
        if not cookie:
            return None
        try:
            token = self._signer.unsign(cookie).decode()
        except BadSignature:
            return None
        cached = self._cache.get(token)
        if cached and time.monotonic() - cached[0] < CACHED_SECONDS:
            return cached[1]
        return await self._look_up(token)

    async def _look_up(self, token: str) -> FoundSession | None:
        changes, now = self._changes, now_ms()
        found = await self._database.read(person_sessions.find_session, token, now)
        if found and now - found.seen_ms >= SEEN_MS:
            self._database.enqueue(person_sessions.record_use, found.id, now)
        if changes == self._changes:  # otherwise a session may have ended during the query
            self._cache[token] = (time.monotonic(), found)
            if len(self._cache) > MOST_CACHED:
                self._cache.popitem(last=False)
        return found

    def forget(self) -> None:
        """Empty the cache. Call this when a session has ended or a person was changed."""
        self._changes += 1
        self._cache.clear()


def is_secure(request: HTTPConnection) -> bool:
    """Return whether a request came over HTTPS."""
    return bool(request.scope["scheme"] == "https")


def name_cookie(name: str, *, secure: bool) -> str:
    return f"{SECURE_PREFIX}{name}" if secure else name


def write_cookie(name: str, value: str, seconds: int, *, secure: bool) -> str:
    """Return a Set-Cookie header. Scripts cannot read the cookie, and forms of other sites do not send it."""
    end = "; Secure" if secure else ""
    return f"{name_cookie(name, secure=secure)}={value}; Max-Age={seconds}; Path=/; HttpOnly; SameSite=Lax{end}"


def end_cookie(*, secure: bool) -> str:
    """Return a Set-Cookie header that removes the cookie of a session."""
    return write_cookie(PERSON_COOKIE, "", 0, secure=secure)
