"""A cluster without Ray: an entry on a port, and behind it canned nodes, or the real relays of real runners."""

import asyncio
import json
import socket as sockets
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import uvicorn

from app.protocol.event import Queued, Started, Stdout
from app.protocol.event_frame import encode_frame
from app.protocol.load import BUILD_HEADER, NodeLoad
from app.protocol.outcome import Outcome
from app.protocol.run import RunResult, Timing
from app.protocol.sandbox import RunnerStatus
from app.runner.build import hash_build
from app.runner.cluster.ray_runner import RayRunner

TOKEN = "a-token-for-the-tests"
Scope = MutableMapping[str, Any]
App = Callable[[Scope, Any, Any], Awaitable[None]]


class FakeNode:
    """A node with canned answers. `status` and `body`: its answer to an order. `silent`: only the entry answers for it, with 500.

    `events`: what follows if the status is 200. `hold`: the last of them waits until `go` is set. `orders`: the paths of what it was sent.
    """

    def __init__(self, name: str, **load: Any) -> None:
        self.name = name
        usual = NodeLoad(build=hash_build(), accepts=True, places=2, spares=4, runs=0, waiting=0, warm=["torch"], installed=["torch"])
        self.load = msgspec.structs.replace(usual, **load)
        self.status, self.body, self.silent, self.hold = 200, b"", False, False
        run = f"{name}-1"
        self.result = RunResult(id=run, outcome=Outcome.FINISHED, timing=Timing(queued_ms=0, run_ms=1, total_ms=1))
        self.events = [encode_frame(event) for event in (Queued(run, 1), Started(run), Stdout("2\n"), self.result)]
        self.orders: list[str] = []
        self.builds: list[str] = []
        self.left = asyncio.Event()
        self.go = asyncio.Event()
        self.shared_by = 0

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        path = scope["path"].removeprefix(scope["root_path"])
        headers = {key.decode(): value.decode() for key, value in scope["headers"]}
        body = (await receive()).get("body", b"")
        if self.silent:
            return await answer(send, 500, b"No servers are available")
        named = ("x-gradroom-node", self.name)
        if headers.get("authorization") != f"Bearer {TOKEN}":
            return await answer(send, 401, b"", named)
        if path == "/load":
            self.shared_by = json.loads(body)["nodes"]
            return await answer(send, 200, msgspec.json.encode(self.load), named)
        if path == "/status":
            return await answer(send, 200, msgspec.json.encode(RunnerStatus(ready=True, spares=self.load.spares)), named)
        if path == "/metrics":
            return await answer(send, 200, b"# TYPE gradroom_queue_depth gauge\ngradroom_queue_depth 3.0\n", named)
        self.orders.append(f"{scope['method']} {path}")
        if scope["method"] == "DELETE":
            return await answer(send, 202, b"", named)
        self.builds.append(headers[BUILD_HEADER])
        if self.status != 200:
            return await answer(send, self.status, self.body, named)
        await begin(send, 200, named, ("x-run-id", f"{self.name}-1"))
        for event in self.events:
            if self.hold and event is self.events[-1]:
                gone = asyncio.create_task(receive())
                going = asyncio.create_task(self.go.wait())
                await asyncio.wait((gone, going), return_when=asyncio.FIRST_COMPLETED)
                going.cancel()
                if gone.done():
                    self.left.set()
                    return None
                gone.cancel()
            await send({"type": "http.response.body", "body": event, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
        return None


async def begin(send: Any, status: int, *headers: tuple[str, str]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": [(key.encode(), value.encode()) for key, value in headers]})


async def answer(send: Any, status: int, body: bytes, *headers: tuple[str, str]) -> None:
    await begin(send, status, ("content-length", str(len(body))), *headers)
    await send({"type": "http.response.body", "body": body})


class Entry:
    """The part of Ray Serve's proxy that the tests need: it names the routes, and passes each request on to its node."""

    def __init__(self, nodes: dict[str, App]) -> None:
        self.nodes = nodes

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["path"] == "/-/routes":
            return await answer(send, 200, json.dumps({f"/nodes/{name}": name for name in self.nodes}).encode())
        name = scope["path"].split("/")[2]
        if name not in self.nodes:
            return await answer(send, 404, b"Path not found")
        await self.nodes[name]({**scope, "root_path": f"/nodes/{name}"}, receive, send)
        return None


@asynccontextmanager
async def serving(app: App) -> AsyncIterator[str]:
    """Serve an app on a free port for as long as the block lasts, and yield host and port."""
    with sockets.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", timeout_graceful_shutdown=1))
        task = asyncio.create_task(server.serve([listener]))
        try:
            yield f"127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            await task


@asynccontextmanager
async def cluster_of(*nodes: FakeNode, token: str = TOKEN) -> AsyncIterator[RayRunner]:
    """Yield the client of a cluster of canned nodes. It has a first entry that is not there."""
    async with serving(Entry({node.name: node for node in nodes})) as host, RayRunner(["127.0.0.1:9", host], token) as runner:
        yield runner
