"""Recognizes the sender of a request. Learners have no accounts: a signed cookie, which the first visit gives, names a learner.

People who are signed in have another cookie (app.web.guards.person_cookies).
"""

import os
import secrets
import time
from collections import OrderedDict
from ipaddress import IPv6Address, ip_address, ip_network
from pathlib import Path

from itsdangerous import BadSignature, Signer
from pydantic import SecretStr
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.classroom.store.faults.store_faults import StoreFault
from app.classroom.store.notices import hash_name
from app.settings import PREFIX, Settings, SettingsError
from app.web.guards.access import has_token
from app.web.guards.buckets import Buckets, Rate
from app.web.guards.person_cookies import PersonCookies
from app.web.guards.principal import Principal

COOKIE = "learner"
SECRET_FILE = "cookie_secret"
MOST_FORGOTTEN = 20_000  # learners who deleted their work: some 100 bytes each
COOKIE_SECONDS = 400 * 24 * 3600  # browsers store a cookie no longer than this
STATIC = "/static/"  # files that everybody may read
PATHS_WITHOUT_LEARNER = ("/healthz", "/readyz", "/metrics", "/robots.txt", "/sitemap.xml")


class Sessions:
    """Makes and reads learners' cookies. The cookie of a learner who has deleted their work counts as none.

    The hashes of these learners' names are a copy of what is stored (app.classroom.work.forgotten_learners). The copy may lag behind, so
    each change looks into the database too. Any thread may call `forget` and `is_forgotten`.
    """

    def __init__(self, secret: str) -> None:
        self._signer = Signer(secret, salt="learner")
        self._forgotten: OrderedDict[str, None] = OrderedDict()

    def forget(self, name_sha256: str) -> None:
        """Ignore a learner's cookie from now on. The argument is the hash of the learner's name."""
        self._forgotten[name_sha256] = None
        if len(self._forgotten) > MOST_FORGOTTEN:
            self._forgotten.popitem(last=False)

    def is_forgotten(self, learner: str) -> bool:
        return hash_name(learner) in self._forgotten

    def give(self, learner: str | None = None) -> str:
        """Return a cookie for `learner`, by default a new one."""
        return self._signer.sign(learner or draw_name()).decode()

    def header(self, learner: str | None = None, *, secure: bool) -> str:
        """Return a Set-Cookie header with a cookie for `learner`, by default a new one. `secure` restricts the cookie to HTTPS."""
        return f"{COOKIE}={self.give(learner)}; Max-Age={COOKIE_SECONDS}; Path=/; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")

    def read(self, cookie: str) -> str | None:
        """Return the learner that a cookie names, or None if its signature is wrong or the learner has deleted their work."""
        try:
            learner = self._signer.unsign(cookie).decode()
        except BadSignature:
            return None
        return None if self.is_forgotten(learner) else learner


def draw_name() -> str:
    """Return the name of a new learner: 96 random bits."""
    return secrets.token_urlsafe(12)


def load_secret(settings: Settings) -> str:
    """Return the key that signs cookies: the setting, or else the key in the state folder. Makes the key in the folder if it is missing."""
    if settings.cookie_secret is not None:
        return settings.cookie_secret.get_secret_value()
    file = settings.state_folder / SECRET_FILE
    try:
        settings.state_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not file.exists():
            write_secret(file)
        return file.read_text().strip()
    except OSError as error:
        raise SettingsError(f"{PREFIX}STATE_FOLDER: cannot be used: {error}") from None


def write_secret(file: Path) -> None:
    """Make the file with a new secret unless it exists. The file is never incomplete, even if two processes start at once."""
    draft = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        opened.write(secrets.token_urlsafe(32))
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def address_of(connection: HTTPConnection) -> str:
    """Return the network address that a request counts against."""
    return network_of(connection.client.host) if connection.client else ""


def network_of(host: str) -> str:
    """Return the address that `host` counts as. For IPv6 it is the network of 64 bits, because one client may use all of that network."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(ip_network((address, 64), strict=False).network_address)
    return host


class SessionMiddleware:
    """Sets `state.principal`, and gives a cookie to clients without one. `rate` limits how many cookies an address gets.

    Beyond the rate, pages are served without a cookie. Work on them stays in the browser until a later page brings a cookie.
    """

    def __init__(self, app: ASGIApp, sessions: Sessions, people: PersonCookies, token: SecretStr | None, rate: Rate) -> None:
        self.app, self._sessions, self._people, self._token = app, sessions, people, token
        self._given = Buckets(rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(STATIC):
            await self.app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        for_learners = not scope["path"].startswith(PATHS_WITHOUT_LEARNER)
        learner = self._sessions.read(request.cookies.get(COOKIE, "")) if for_learners else None
        newcomer = draw_name() if for_learners and learner is None and self._may_give(address_of(request)) else None
        principal = await self._find_principal(request, learner, newcomer)
        request.state.principal = principal
        if not for_learners:
            await self.app(scope, receive, send)
            return
        connection = scope["state"].get("connection")
        if connection:
            connection.belongs_to(principal.address, learner or principal.address)
        if newcomer is None:
            await self.app(scope, receive, send)
            return

        async def send_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and not (connection and connection.gone):
                headers = MutableHeaders(scope=message)
                headers.append("set-cookie", self._sessions.header(newcomer, secure=scope["scheme"] == "https"))
                headers["cache-control"] = make_private(headers.get("cache-control", "no-cache"))
            await send(message)

        await self.app(scope, receive, send_cookie)

    async def _find_principal(self, request: HTTPConnection, learner: str | None, newcomer: str | None) -> Principal:
        """Return the sender of a request. If the store cannot be read, nobody is signed in, and `state.sign_in_fault` has the fault."""
        session = None
        try:
            session = await self._people.read(request)
        except StoreFault as fault:
            request.state.sign_in_fault = fault
        return Principal(
            learner=learner,
            address=address_of(request),
            newcomer=newcomer,
            person=session.person if session else None,
            session_id=session.id if session else None,
            has_token=has_token(request, self._token),
        )

    def _may_give(self, address: str) -> bool:
        """Return whether a client at `address` may be given a cookie now. If it may, count the cookie."""
        now = time.monotonic()
        if self._given.wait_seconds(address, 1, now):
            return False
        self._given.take(address, 1, now)
        return True


def make_private(cache_control: str) -> str:
    """Return `cache_control` changed so that no shared cache stores the answer. The answer has a learner's cookie."""
    words = [word.strip() for word in cache_control.split(",") if word.strip().lower() not in ("public", "private")]
    return ", ".join(words) if "no-store" in words else ", ".join(["private", *words])
