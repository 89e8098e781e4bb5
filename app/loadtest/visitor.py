"""The browser of one simulated learner. It has cookies, a cache and a few connections, loads pages with their files, and runs cells.

Over TLS, browsers use HTTP/2. This one uses HTTP/1.1 on several connections, which costs the server more.
"""

import asyncio
import contextlib
import itertools
import ssl
from collections.abc import Awaitable, Callable
from html.parser import HTMLParser
from typing import Any, Self, TypeVar

import httpx

from app.loadtest.report import Observations
from app.loadtest.server_address import ServerAddress
from app.loadtest.server_answers import RunSeen, TurnedAway, Unserved, check_status, describe_result, kind_of, read_events

CONNECTIONS = 6  # that a browser opens to one server over HTTP/1.1
IDLE_CONNECTION_SECONDS = 60.0
SILENCE_SECONDS = 45.0  # the server sends something on a stream at least every 15 seconds
CONNECT_SECONDS = 20.0
FIRST_PAUSES, LONGEST_PAUSE = (1.0, 2.0, 4.0, 8.0), 15.0  # seconds after refusals without a time, as on the page
REDIRECTS = 5
HEADERS = {"accept-language": "en", "user-agent": "gradroom-loadtest", "accept-encoding": "gzip"}
SENT_AGAIN = ("unavailable", "queue_full")  # codes after which nothing was run, or what was run was ended for others
T = TypeVar("T")
LOADED = frozenset(("stylesheet", "icon", "preload", "modulepreload"))


class PageFiles(HTMLParser):
    """Collects in `addresses` the files that a browser loads with a page. Each is there once, in the order of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        address = given.get("href") if tag == "link" and LOADED & set((given.get("rel") or "").split()) else None
        address = given.get("src") if tag in ("script", "img") else address
        if address and not address.startswith("data:") and address not in self.addresses:
            self.addresses.append(address)


def find_files(html: str) -> list[str]:
    """Return the addresses of the scripts, styles, fonts and images that a browser loads with a page. Relative addresses stay relative."""
    parser = PageFiles()
    parser.feed(html)
    return parser.addresses


class PinnedTransport(httpx.AsyncHTTPTransport):
    """Connects only to the network address that was checked, even if the name has another address by now."""

    def __init__(self, server: ServerAddress, trust: ssl.SSLContext | bool) -> None:
        limits = httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS, keepalive_expiry=IDLE_CONNECTION_SECONDS)
        super().__init__(verify=trust, trust_env=False, limits=limits)
        self._server = server
        self._origin = httpx.URL(server.origin)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        if (url.scheme, url.host, url.port) != (self._origin.scheme, self._origin.host, self._origin.port):
            raise Unserved(f"the server redirects to another one: {url}")
        pinned = httpx.Request(
            request.method,
            url.copy_with(host=self._server.ip),
            headers=request.headers,
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": self._server.name},
        )
        return await super().handle_async_request(pinned)


class Visitor:
    """A browser that visits the server for the first time. `trust` says which certificates it accepts."""

    def __init__(self, server: ServerAddress, trust: ssl.SSLContext | bool) -> None:
        timeout = httpx.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS, pool=None)
        transport = PinnedTransport(server, trust)
        self._client = httpx.AsyncClient(base_url=server.origin, transport=transport, timeout=timeout, headers=HEADERS, trust_env=False)
        self._cache: set[str] = set()
        self._origin = server.origin

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        with contextlib.suppress(Exception):
            await self._client.aclose()

    async def get(self, path: str) -> httpx.Response:
        """Return the answer to a GET request. Raises TurnedAway or Unserved if the request does not succeed."""
        answer = await self.ask(path)
        check_status(answer, path)
        return answer

    async def ask(self, path: str) -> httpx.Response:
        """Return the answer to a GET request, whatever its status. Redirects within the server are followed.

        Raises TurnedAway if there is no connection. Raises Unserved after too many redirects, or a redirect to another server.
        """
        for _ in range(REDIRECTS):
            try:
                answer = await self._client.get(path)
            except httpx.TransportError as error:
                raise TurnedAway(f"connection: {name_error(error)}") from error
            if not answer.has_redirect_location:
                return answer
            path = str(answer.url.join(answer.headers["location"]))
        raise Unserved(f"too many redirects at {path}")

    async def open_page(self, path: str) -> httpx.Response:
        """Load a page, and its files that are not in the cache yet. Return the page. Raises TurnedAway and Unserved."""
        page = await self.get(path)
        files = [address for address in find_files(page.text) if address not in self._cache]
        await asyncio.gather(*(self.get(address) for address in files))
        self._cache.update(files)
        return page

    async def post_form(self, path: str, form: dict[str, str]) -> None:
        """Send the form of a page. The page that follows is not loaded. Raises TurnedAway and Unserved."""
        try:
            answer = await self._client.post(path, data=form, headers={"origin": self._origin})
        except httpx.TransportError as error:
            raise TurnedAway(f"connection: {name_error(error)}") from error
        if not answer.has_redirect_location:
            check_status(answer, path)

    async def send(self, method: str, path: str, body: dict[str, Any]) -> Any:
        """Send JSON and return the JSON of the answer, {} if it is empty. Raises TurnedAway and Unserved."""
        try:
            answer = await self._client.request(method, path, json=body)
        except httpx.TransportError as error:
            raise TurnedAway(f"connection: {name_error(error)}") from error
        check_status(answer, path)
        return answer.json() if answer.content else {}

    async def follow(self, path: str, last: str, on_event: Callable[[str, Any], None]) -> None:
        """Follow a stream of events until the event `last`. `on_event` is called with the name and the data of each event.

        Raises Unserved, and TurnedAway if the stream ends before that, because the page then asks for it again.
        """
        try:
            async with self._client.stream("GET", path, headers={"accept": "text/event-stream"}) as answer:
                if answer.status_code != 200:
                    await answer.aread()
                    check_status(answer, path)
                async for event, data in read_events(answer):
                    on_event(event, data)
                    if event == last:
                        return
        except httpx.TransportError as error:
            raise TurnedAway(f"{kind_of(path)}: the stream broke off ({name_error(error)})") from error
        raise TurnedAway(f"{kind_of(path)}: the stream ended")

    async def run(self, request: dict[str, Any], on_event: Callable[[], None]) -> RunSeen:
        """Send a run and return its result. `on_event` is called at each event. Raises TurnedAway and Unserved."""
        return describe_result(await self.stream("/api/runs", request, "result", on_event))

    async def stream(
        self,
        path: str,
        request: dict[str, Any],
        last: str,
        on_event: Callable[[], None] = lambda: None,
        headers: dict[str, str] | None = None,
    ) -> Any:
        """Send a request that is answered with events, and return the data of the event `last`. `on_event` is called at each event.

        Raises TurnedAway if the request was refused or the server was unavailable: it may be sent again. Raises Unserved for other
        failures.
        """
        accepted, kind, result = False, kind_of(path), None
        try:
            asked = {"accept": "text/event-stream", **(headers or {})}
            async with self._client.stream("POST", path, json=request, headers=asked) as answer:
                if answer.status_code != 200:
                    await answer.aread()
                    check_status(answer, path)
                accepted = True
                async for event, data in read_events(answer):
                    on_event()
                    if event == last:  # the stream is read to its end, so that its connection can be used again
                        result = data
                    if event == "error":
                        raise (TurnedAway if data["code"] in SENT_AGAIN else Unserved)(f"{kind}: {data['code']}")
        except httpx.TransportError as error:
            if not accepted:
                raise TurnedAway(f"connection: {name_error(error)}") from error
            if result is None:
                raise Unserved(f"{kind}: the stream broke off ({name_error(error)})") from error
        if result is None:
            raise Unserved(f"{kind}: the stream ended without a result")
        return result


async def persist(ask: Callable[[], Awaitable[T]], seen: Observations, waits: list[float] | None = None) -> T | None:
    """Call `ask`, again after each refusal as the page does, and return its result. Return None if `ask` fails otherwise.

    How long the result took, in seconds, is added to `waits`.
    """
    clock = asyncio.get_running_loop().time
    start = clock()
    for pause in itertools.chain(FIRST_PAUSES, itertools.repeat(LONGEST_PAUSE)):
        try:
            result = await ask()
        except TurnedAway as away:
            seen.refusals[str(away)] += 1
            await asyncio.sleep(away.seconds or pause)
        except Unserved as fault:
            seen.faults[str(fault)] += 1
            break
        else:
            if waits is not None:
                waits.append(clock() - start)
            return result
    return None


def name_error(error: Exception) -> str:
    """Return a word for the type of an error. The report counts errors by this word."""
    return type(error).__name__.lstrip("_")
