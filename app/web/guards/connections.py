"""Bounds uvicorn's connections: how many an address may have, how long a client may keep the server waiting, and how much it may send.

uvicorn itself limits the silence between two requests (`timeout_keep_alive`) and the number of connections (`limit_concurrency`). At that
limit it refuses the next client, even if another client has most of the connections. httptools still parses the requests; this module
counts their bytes.
"""

import asyncio
import fcntl
import struct
import termios
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import structlog
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.buffered_bytes import BufferedBytes
from app.memory import give_back_memory
from app.protocol.owner import Owner
from app.web.guards.buckets import Buckets
from app.web.guards.connection_caps import ConnectionCaps
from app.web.guards.request_owners import RequestOwners
from app.web.guards.request_turns import RequestTurns, charge_steps
from app.web.guards.sessions import network_of

LOOK_SECONDS = 1.0  # or a quarter of the patience, if that is less
BETWEEN_RESTS_SECONDS = 5.0  # between two calls of give_back_memory, which takes some 10 ms
HEAD_BYTES = 65_536  # of a request without its body; one read may exceed it
HEADERS = 200  # of a request, with its trailers: parsing a thousand takes as long as many requests
PIPELINED = 16  # requests on one connection that may wait for earlier answers
TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"

log = structlog.get_logger()


class Connections:
    """All connections. If there are too many, the one that has been idle longest is closed, so that a new one never waits.

    Requests begin in the order that `turns` decides. `read_learner` returns the learner that a cookie names, or None.
    """

    def __init__(self, caps: ConnectionCaps, read_learner: Callable[[str], str | None] = lambda _: None) -> None:
        self.caps, self.owners = caps, RequestOwners(caps.exempt, read_learner)
        self.turns = RequestTurns(Buckets(caps.learner_pace), Buckets(caps.newcomers_pace))
        self._look_seconds = min(LOOK_SECONDS, caps.patience_seconds / 4)
        self.buffered: BufferedBytes[Connection] = BufferedBytes(caps.buffered)
        self._of_address: Counter[str] = Counter()
        self._idle: dict[str, dict[Connection, None]] = {}  # by address; the one that has been idle longest is first
        self._all: set[Connection] = set()
        self._looking = False
        self._closed: Counter[str] = Counter()
        self._worked = False
        self._rested_at = 0.0

    def enter(self, connection: "Connection") -> None:
        """Add a new connection, which is idle. If there are too many now, close the connection that has been idle longest."""
        address = connection.address
        self._all.add(connection)
        self._of_address[address] += 1
        self.set_idle(connection)
        if self._of_address[address] > self.caps.per_address and not self.owners.is_proxy(connection.host):
            self._close_idle(address)
        elif len(self._all) > self.caps.overall:
            self._close_idle(max(self._idle, key=lambda one: self._of_address[one]))
        if not self._looking:
            self._looking = True
            connection.loop.call_later(self._look_seconds, self._look, connection.loop)

    def leave(self, connection: "Connection") -> None:
        """Remove a connection that is closed or closing."""
        if connection not in self._all:
            return
        self._all.discard(connection)
        self.set_busy(connection)
        self._of_address[connection.address] -= 1
        if not self._of_address[connection.address]:
            del self._of_address[connection.address]

    def set_idle(self, connection: "Connection") -> None:
        """Record that no complete request of this connection waits for an answer."""
        if connection in self._all:
            self._idle.setdefault(connection.address, {})[connection] = None

    def set_busy(self, connection: "Connection") -> None:
        """Record that a request is being answered."""
        idle = self._idle.get(connection.address, {})
        idle.pop(connection, None)
        if not idle:
            self._idle.pop(connection.address, None)
        self._worked = True

    def count_closed(self, reason: str) -> None:
        self._closed[reason] += 1

    def _close_idle(self, address: str) -> None:
        longest = next(iter(self._idle[address]))
        self.leave(longest)
        longest.break_off("too_many")

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Close connections that keep the server waiting. If no request is being answered, give memory back to the system."""
        now = loop.time()
        for connection in list(self._all):
            if reason := connection.overdue(now):
                connection.break_off(reason)
        if self._closed:
            log.warning("connections_closed", **self._closed)
            self._closed.clear()
        resting = sum(map(len, self._idle.values())) + sum(connection.end_stream is not None for connection in self._all)
        if self._worked and resting == len(self._all) and now > self._rested_at + BETWEEN_RESTS_SECONDS:
            self._worked, self._rested_at = False, now
            give_back_memory()
        self._looking = bool(self._all or self._worked)
        if self._looking:
            loop.call_later(self._look_seconds, self._look, loop)


class Connection(HttpToolsProtocol):
    """One connection. The app finds it in `scope["state"]["connection"]`.

    An answer that never ends by itself, such as a stream of events, sets `end_stream` to a function that ends it. The function
    is called when the server shuts down.
    """

    def __init__(self, connections: Connections, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._app, self.app = self.app, self._run_app
        self._connections = connections
        self.end_stream: Callable[[], None] | None = None
        self._unparsed: bytes | None = None  # what was received of a request that waits for its turn
        self.address = ""
        self.owner = Owner("", "")
        self._buffered_body_bytes = self._buffered_answer_bytes = 0
        self._waiting_since: float | None = None  # the time since which the server waits for a head or more of a body
        self._unread_bytes = 0
        self._taken_at = 0.0  # when the client last read some of the answer
        self._requests = 0
        self._body_bytes = 0  # of this request
        self._framing_bytes = 0  # of this request without its body

    @property
    def host(self) -> str:
        """The address of the client, or of a proxy. It is "" for a client on a Unix socket."""
        return self.client[0] if self.client else ""

    @property
    def gone(self) -> bool:
        """Whether the connection is closed or closing, so that nothing more reaches the client."""
        return self.transport.is_closing()

    def belongs_to(self, address: str, learner: str) -> None:
        """From now on, count the bytes that are buffered for this connection against this learner and address."""
        self._change_owner(Owner(address, learner))

    def break_off(self, reason: str = "too_much_held") -> None:
        """Close the connection. Bytes that the client has not read yet are lost."""
        self._connections.count_closed(reason)
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    def overdue(self, now: float) -> str:
        """Return the reason if the client has kept the server waiting too long, else "".

        Call this about once a second, because it compares what the client has not read with the call before.
        """
        waiting_bytes = self.transport.get_write_buffer_size()
        # counts the kernel's buffer, too, because a slow client may read for longer than the patience until the kernel accepts more
        unread_bytes = waiting_bytes + kernel_bytes(self.transport) if waiting_bytes else 0
        if unread_bytes < self._unread_bytes or not unread_bytes:
            self._taken_at = now
        self._unread_bytes = unread_bytes
        if now - self._taken_at > self._connections.caps.patience_seconds:
            return "unread"
        if self._waiting_since is None or self.flow.read_paused or self._unparsed is not None:
            return ""
        return "unfinished" if now - self._waiting_since > self._connections.caps.patience_seconds else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = network_of(self.host) if self.host else ""
        self.owner = Owner(self.address, self.address)
        self._waiting_since = self._taken_at = self.loop.time()
        self._connections.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.turns.leave(self, self.owner)
        self._unparsed = None
        self._count_buffered(body_bytes=0, answer_bytes=0)
        self._connections.leave(self)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        super().shutdown()
        if self.end_stream:
            self.end_stream()

    def data_received(self, data: bytes) -> None:
        """Parse the bytes if they belong to a request that has begun. The bytes of a new request wait for its turn first."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._parse(data)
        elif self._unparsed is not None:
            self._unparsed += data
            self._count_buffered(body_bytes=len(self._unparsed))
            if len(self._unparsed) > HEAD_BYTES:
                self.flow.pause_reading()
        else:
            self._unset_keepalive_if_required()
            self._unparsed = data
            self._change_owner(self._connections.owners.owner_of(self.host, data))
            self._count_buffered(body_bytes=len(data))
            self._connections.turns.wait(self, self.owner)

    def begin(self) -> None:
        """Begin the request whose turn it is. Parse a new request; answer one that was parsed while an earlier one was answered."""
        data, self._unparsed = self._unparsed, None
        if self.gone:
            return
        if data is None:
            super().on_response_complete()
        else:
            self._count_buffered(body_bytes=0)
            self.flow.resume_reading()
            self._parse(data)

    def _parse(self, data: bytes) -> None:
        began = time.perf_counter()
        if self._waiting_since is None and (self.cycle is None or self.cycle.response_complete):
            self._waiting_since = self.loop.time()
        requests, body_bytes = self._requests, self._body_bytes
        super().data_received(data)
        if requests == self._requests:
            self._framing_bytes += len(data) - (self._body_bytes - body_bytes)
        if self._framing_bytes > HEAD_BYTES and not self.gone:
            self.transport.write(TOO_LARGE)
            self.break_off("endless_head")
        self._charge(time.perf_counter() - began)

    async def _run_app(self, scope: Scope, receive: Receive, send: Send) -> None:
        await charge_steps(self._app(scope, receive, send), self._charge)

    def _charge(self, seconds: float) -> None:
        self._connections.turns.charge(self.owner, seconds)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if len(self.pipeline) > PIPELINED:
            raise ValueError("too many requests at once")  # uvicorn answers 400
        self.scope["state"]["connection"] = self
        self._requests += 1
        self._framing_bytes = self._body_bytes = 0

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(self.headers) >= HEADERS:
            raise ValueError("too many headers")  # uvicorn answers 400
        super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        self._waiting_since = self.loop.time()
        if not self.cycle.response_complete:
            self._count_buffered(body_bytes=self._buffered_body_bytes + len(body))
        elif self._body_bytes > self._connections.caps.body_bytes:  # the request was refused, and its body is only discarded
            self.break_off("endless_body")
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._waiting_since = None
        if not self.cycle.response_complete:
            self._connections.set_busy(self)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._count_buffered(body_bytes=0)
        if self.pipeline:  # the next request is parsed already, and waits for its turn
            self._connections.turns.wait(self, self.owner)
        else:
            self._connections.set_idle(self)
            super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._count_buffered(answer_bytes=self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        self._taken_at = self.loop.time()
        self._count_buffered(answer_bytes=0)
        super().resume_writing()

    def _change_owner(self, owner: Owner) -> None:
        if owner != self.owner:
            self._connections.buffered.count(self, self.owner, 0)
            self.owner = owner
            self._count_buffered()

    def _count_buffered(self, body_bytes: int | None = None, answer_bytes: int | None = None) -> None:
        """Set how many bytes are buffered for the client. None leaves a number as it is.

        `body_bytes` counts the bytes of its request, and `answer_bytes` those of answers that it has not read.
        """
        self._buffered_body_bytes = self._buffered_body_bytes if body_bytes is None else body_bytes
        self._buffered_answer_bytes = self._buffered_answer_bytes if answer_bytes is None else answer_bytes
        self._connections.buffered.count(self, self.owner, self._buffered_body_bytes + self._buffered_answer_bytes)


def kernel_bytes(transport: asyncio.Transport) -> int:
    """Return how many written bytes the kernel still buffers because the client has not acknowledged them (tcp(7))."""
    answer = fcntl.ioctl(transport.get_extra_info("socket").fileno(), termios.TIOCOUTQ, bytes(4))
    return int(struct.unpack("i", answer)[0])
