"""uvicorn's server, changed so that each pass of the event loop accepts all waiting connections.

libuv, which uvloop uses, accepts one connection in each pass (libuv#3696, since 1.45). A pass also includes the work on requests. With a
few hundred connections a second, a new connection would therefore wait for seconds.

If several web processes share a port, each has a listener of its own, and the kernel spreads the connections over them. With one listener
for all, the process that wakes first would accept nearly all connections that a class opens at once (measured: 40 of 40). A process also
accepts connections that wait at other listeners for longer than PATIENCE_SECONDS, because their processes may be busy or restarting.
"""

import asyncio
import socket
from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

import structlog
import uvicorn

ACCEPTED_IN_A_PASS = 500
PATIENCE_SECONDS = 0.05  # that another process has to accept its connections
PAUSE_SECONDS = 0.1  # if there is no descriptor left for a connection

log = structlog.get_logger()


class WebServer(uvicorn.Server):
    """Serves on the sockets that are given to `run`. `others` are those among them that belong to other web processes."""

    _made: set[asyncio.Task[object]]

    def __init__(self, config: uvicorn.Config, others: Sequence[socket.socket] = ()) -> None:
        super().__init__(config)
        self._others = others

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])  # starts the lifespan without a listener of uvicorn's own
        self._made = set()
        for listener in sockets or ():
            listener.setblocking(False)
            self._listen(listener)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for listener in sockets or ():
            asyncio.get_running_loop().remove_reader(listener)
        await super().shutdown(sockets)

    def _listen(self, listener: socket.socket) -> None:
        if not self.should_exit:
            accept = self._accept_later if listener in self._others else self._accept
            asyncio.get_running_loop().add_reader(listener, accept, listener)

    def _accept_later(self, listener: socket.socket) -> None:
        """Accept the connections of another process's listener if they still wait in PATIENCE_SECONDS."""
        loop = asyncio.get_running_loop()
        loop.remove_reader(listener)

        def accept() -> None:
            if not self.should_exit:
                self._accept(listener)
                self._listen(listener)

        loop.call_later(PATIENCE_SECONDS, accept)

    def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        protocol = cast(Callable[..., asyncio.Protocol], self.config.http_protocol_class)
        make = partial(protocol, config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
        for _ in range(ACCEPTED_IN_A_PASS):
            try:
                accepted, _ = listener.accept()
            except (BlockingIOError, ConnectionAbortedError):
                return
            except OSError as error:
                log.error("accepting_failed", error=str(error))
                loop.remove_reader(listener)
                loop.call_later(PAUSE_SECONDS, self._listen, listener)
                return
            accepted.setblocking(False)
            task = loop.create_task(loop.connect_accepted_socket(make, accepted))
            self._made.add(task)
            task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[object]) -> None:
        """Discard a task that has made a connection. If it failed, the client was already gone, so its exception is ignored."""
        self._made.discard(task)
        if not task.cancelled():
            task.exception()
