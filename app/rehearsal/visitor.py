"""One learner's browser: a cookie, a few kept connections, a cache, pages with their files, and runs as event streams.

Other than a browser it speaks HTTP/1.1 over TLS too, on more connections, which is dearer for the server rather than cheaper.
"""

import asyncio
import contextlib
import ssl
from collections.abc import Callable
from typing import Any, Self

import httpx

from app.rehearsal.page_files import find_files
from app.rehearsal.server_address import ServerAddress
from app.rehearsal.server_answers import RunSeen, TurnedAway, Unserved, check_status, describe_result, read_events

CONNECTIONS = 6  # that a browser opens to one server over HTTP/1.1
IDLE_CONNECTION_SECONDS = 60.0
SILENCE_SECONDS = 45.0  # the server speaks on a stream every 15 seconds at the latest
CONNECT_SECONDS = 20.0
LONGEST_PAUSE_SECONDS = 15
REDIRECTS = 5
HEADERS = {"accept-language": "en", "user-agent": "gradroom-loadtest", "accept-encoding": "gzip"}


class PinnedTransport(httpx.AsyncHTTPTransport):
    """Connects to the one network address that was checked, whatever the name leads to now; never to another server."""

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
    """A browser that has not been here before. `trust`: which certificates it believes."""

    def __init__(self, server: ServerAddress, trust: ssl.SSLContext | bool) -> None:
        timeout = httpx.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS, pool=None)
        transport = PinnedTransport(server, trust)
        self._client = httpx.AsyncClient(base_url=server.origin, transport=transport, timeout=timeout, headers=HEADERS, trust_env=False)
        self._cache: set[str] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        with contextlib.suppress(Exception):
            await self._client.aclose()

    async def get(self, path: str) -> httpx.Response:
        """An answer that is a success. Raises TurnedAway and Unserved."""
        answer = await self.ask(path)
        check_status(answer, path)
        return answer

    async def ask(self, path: str) -> httpx.Response:
        """The answer, redirects followed within the server. Raises TurnedAway without a connection, and Unserved."""
        for _ in range(REDIRECTS):
            try:
                answer = await self._client.get(path)
            except httpx.TransportError as error:
                raise TurnedAway(f"connection: {name_error(error)}") from error
            if not answer.has_redirect_location:
                return answer
            path = str(answer.url.join(answer.headers["location"]))
        raise Unserved(f"too many redirects at {path}")

    async def open_page(self, path: str) -> None:
        """A page and all files that it names and this browser does not have yet. Raises TurnedAway and Unserved."""
        page = await self.get(path)
        files = [address for address in find_files(page.text) if address not in self._cache]
        await asyncio.gather(*(self.get(address) for address in files))
        self._cache.update(files)

    async def run(self, request: dict[str, Any], on_event: Callable[[], None]) -> RunSeen:
        """Sends a run and follows it to its result; `on_event` is called for each event. Raises TurnedAway and Unserved.

        TurnedAway is raised only for what was never accepted, as the page sees it.
        """
        accepted, result = False, None
        try:
            async with self._client.stream("POST", "/api/runs", json=request, headers={"accept": "text/event-stream"}) as answer:
                if answer.status_code != 200:
                    await answer.aread()
                    check_status(answer, "/api/runs")
                accepted = True
                async for event, data in read_events(answer):
                    on_event()
                    if event == "result":  # the stream is read to its end, so that its connection can be used again
                        result = describe_result(data)
                    if event == "error":
                        raise (TurnedAway if data["code"] == "unavailable" else Unserved)(f"run: {data['code']}")
        except httpx.TransportError as error:
            if not accepted:
                raise TurnedAway(f"connection: {name_error(error)}") from error
            if result is None:
                raise Unserved(f"run: the stream broke off ({name_error(error)})") from error
        if result is None:
            raise Unserved("run: the stream ended without a result")
        return result


def name_error(error: Exception) -> str:
    """An error without what differs from one to the next."""
    return type(error).__name__.lstrip("_")


def backoff_seconds(attempt: int) -> float:
    """Before the next attempt where the server named no time: 1, 2, 4, 8, then always 15; as the page does."""
    return float(min(2 ** min(attempt, 4), LONGEST_PAUSE_SECONDS))
