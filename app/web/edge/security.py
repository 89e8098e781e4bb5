"""Protects the browser: checks the host and the origin of requests, bounds their bodies, and adds security headers to answers."""

import re
import secrets
from urllib.parse import urlsplit, urlunsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.locale.messages import translator
from app.settings import Settings
from app.web.guards.person_cookies import PERSON_COOKIE, SECURE_PREFIX
from app.web.guards.sessions import STATIC
from app.web.http.errors import ErrorDetail, TooLarge, error_response
from app.web.http.language import request_lang
from app.web.pages.rendering import render_wrong_host

POLICY = (
    "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
# browsers read these of documents only; a page loads some 30 static files
HEADERS_OF_DOCUMENTS = (
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
IMPORT_PATH = "/api/me/import"  # the only request whose body may be longer
PERSON_COOKIES = re.compile(rf"(?:^|[ ;])(?:{SECURE_PREFIX})?{PERSON_COOKIE}=")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
WRONG_HOST = "This server does not answer to the name in your request. Its operator can allow it with GRADROOM_ALLOWED_HOSTS.\n"


class SecurityMiddleware:
    """Refuses requests to other hosts or from other origins, makes a nonce for each request, and adds the security headers.

    If an answer has a content security policy of its own, that policy stays.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._hosts = frozenset(host.lower() for host in settings.allowed_hosts)
        self._request_bytes, self._archive_bytes = settings.request_bytes, settings.archive_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        nonce = scope.setdefault("state", {})["nonce"] = secrets.token_urlsafe(16)
        policy = POLICY.format(nonce=nonce)
        protecting = HEADERS if scope["path"].startswith(STATIC) else HEADERS + HEADERS_OF_DOCUMENTS

        async def send_protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*(make_relative(*header) for header in message["headers"]), *protecting]
                MutableHeaders(scope=message).setdefault("content-security-policy", policy)
            await send(message)

        headers = Headers(scope=scope)
        if not self._host_allowed(headers.get("host", ""), scope):
            await refuse_host(headers, nonce)(scope, receive, send_protected)
        elif scope["method"] not in SAFE_METHODS and not same_origin(headers):
            await refuse_origin(Request(scope))(scope, receive, send_protected)
        else:
            cap_bytes = self._archive_bytes if scope["path"] == IMPORT_PATH else self._request_bytes
            await self.app(scope, cap_body(receive, headers, cap_bytes), send_protected)

    def _host_allowed(self, host: str, scope: Scope) -> bool:
        """Return whether the host is allowed by the settings, or is the IP address that the client connected to.

        That address is safe: an attack by DNS rebinding needs a name.
        """
        name = host_name(host)
        return name in self._hosts or (scope.get("server") is not None and name.strip("[]") == scope["server"][0])


def make_relative(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    """Return a header unchanged, except that a redirect loses its host.

    Starlette's redirects repeat the host and port of the request, and the port was not checked.
    """
    if name != b"location":
        return name, value
    parts = urlsplit(value.decode("latin-1"))
    return name, urlunsplit(("", "", "/" + parts.path.lstrip("/"), parts.query, parts.fragment)).encode("latin-1")


def refuse_host(headers: Headers, nonce: str) -> Response:
    """Return the answer for a host that is not allowed: a page for browsers, a line of text for others."""
    if "text/html" in headers.get("accept", ""):
        return render_wrong_host(host_name(headers.get("host", "")), nonce)
    return PlainTextResponse(WRONG_HOST, 400, {"cache-control": "no-store"})


def host_name(host: str) -> str:
    """Return a Host header without its port, in lower case."""
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdigit() else host.lower()


def same_origin(headers: Headers) -> bool:
    """Return whether a request comes from our own pages, or from no page at all. With a person's cookie it must be a page."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    if origin is None:
        return not PERSON_COOKIES.search(headers.get("cookie", ""))  # every browser sends Sec-Fetch-Site or Origin
    try:
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
    except ValueError:  # the header is malformed
        return False


def refuse_origin(request: Request) -> Response:
    message = translator(request_lang(request))("This request was sent by a page of another site, which may not run anything here.")
    return error_response(403, ErrorDetail(code="other_origin", message=message))


def cap_body(receive: Receive, headers: Headers, cap_bytes: int) -> Receive:
    """Return a function like `receive` that raises TooLarge when the body exceeds `cap_bytes`."""
    declared = headers.get("content-length", "")
    received_bytes = 0

    async def receive_capped() -> Message:
        nonlocal received_bytes
        if declared.isdigit() and int(declared) > cap_bytes:
            raise TooLarge
        message = await receive()
        received_bytes += len(message.get("body", b""))
        if received_bytes > cap_bytes:
            raise TooLarge
        return message

    return receive_capped
