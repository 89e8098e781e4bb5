"""The client of runners on several machines, each behind a relay in Ray Serve. docs/decisions/0054 says how it works, and why."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

import aiohttp
import msgspec
import structlog

from app.labelled_metrics import label_metrics
from app.protocol.grading import GradeOrder
from app.protocol.load import BUILD_HEADER, ClusterView, NodeLoad, node_of
from app.protocol.owner import Owner
from app.protocol.run import RunOrder, TraceOrder
from app.protocol.sandbox import RunnerStatus
from app.runner.build import hash_build
from app.runner.client import (
    QueueFull,
    RunnerError,
    RunnerIncompatible,
    RunnerUnavailable,
    RunStream,
    RuntimeAbsent,
    RunUntraceable,
    decode,
)
from app.runner.cluster.cluster_status import describe_node, join_statuses
from app.runner.cluster.entries import Entries
from app.runner.cluster.nodes import Node, Nodes
from app.runner.socket_runner import SocketRunStream, raise_refusal, read_whole, released

LOOK_SECONDS = 1.0  # between two questions to a node for its load
ANSWER_SECONDS = 2.0  # for a node's load, status or metrics
STATUS_SECONDS = 1.0  # a status is not asked for again for so long, because pages ask for it
SHARED_CAPS = ("learner", "address")  # hold over all nodes, so no other node is asked

log = structlog.get_logger()


class RayRunner(AbstractAsyncContextManager["RayRunner"]):
    """Sends orders to the runners of a cluster. Use it as a context manager, which closes its connections."""

    def __init__(self, entries: Sequence[str], token: str) -> None:
        self._entries = Entries(entries, token)
        self._nodes = Nodes()
        self._looking: asyncio.Task[None] | None = None
        self._looked = asyncio.Event()
        self._status: tuple[float, RunnerStatus] | None = None

    def run(self, order: RunOrder) -> AbstractAsyncContextManager[RunStream]:
        return self._follow("/runs", order, order, "result")

    def grade(self, order: GradeOrder) -> AbstractAsyncContextManager[RunStream]:
        return self._follow("/submissions", order, order.run, "verdict")

    @asynccontextmanager
    async def trace(self, order: TraceOrder) -> AsyncIterator[RunStream]:
        await self._look_first()
        node = self._nodes.get(node_of(order.run_id))
        if node is None:
            raise RunUntraceable("there is no such node")
        with node.count(Owner(order.address, order.learner)):
            response = await self._order(node, "/traces", msgspec.json.encode(order))
            async with released(response):
                yield SocketRunStream(response, "result")

    @asynccontextmanager
    async def _follow(self, path: str, order: RunOrder | GradeOrder, run: RunOrder, last: str) -> AsyncIterator[RunStream]:
        await self._look_first()
        body = msgspec.json.encode(order)
        owner = Owner(run.address, run.learner)
        tried: list[str] = []
        error: RunnerError = RunnerUnavailable("no node accepts runs")
        silent = 0
        while silent < 2 and (node := self._nodes.choose(owner, run.runtime, tried)):
            tried.append(node.name)
            with node.count(owner):
                try:
                    response = await self._order(node, path, body)
                except RunnerUnavailable as unavailable:
                    silent += 1
                    error = unavailable
                    continue
                except (RunnerIncompatible, RuntimeAbsent, QueueFull) as refusal:
                    if isinstance(refusal, QueueFull) and refusal.reason in SHARED_CAPS:
                        raise
                    error = refusal
                    continue
                async with released(response):
                    yield SocketRunStream(response, last)
                return
        raise error

    async def _order(self, node: Node, path: str, body: bytes) -> aiohttp.ClientResponse:
        """Send an order to a node, and return the response if the order was accepted. Raises RunnerError."""
        try:
            response = await self._entries.ask(node.name, "POST", path, data=body, headers={BUILD_HEADER: hash_build()})
            try:
                await raise_refusal(response)
            except RunnerError:
                response.release()
                raise
        except (RunnerUnavailable, RunnerIncompatible) as error:
            node.problem = str(error)  # until it answers again
            log.warning("node_refused", node=node.name, reason=str(error))
            raise
        return response

    async def forget(self, learner: str) -> None:
        await self._look_first()
        for node in self._nodes:
            with suppress(RunnerUnavailable):  # it has no memory of the learner, or cannot be asked
                (await self._entries.ask(node.name, "DELETE", "/orders", params={"learner": learner})).release()

    async def stop(self, run_id: str, learner: str = "") -> bool:
        await self._look_first()
        node = self._nodes.get(node_of(run_id))
        if node is None:
            return False
        async with await self._entries.ask(node.name, "DELETE", f"/runs/{run_id}", params={"learner": learner}) as response:
            return response.status == 202

    async def status(self) -> RunnerStatus:
        now = asyncio.get_running_loop().time()
        if self._status is None or self._status[0] + STATUS_SECONDS < now:
            await self._look_first()
            nodes = list(self._nodes)
            found = await asyncio.gather(*(self._get(node, "/status") for node in nodes))
            statuses = [decode(text, msgspec.json.Decoder(RunnerStatus)) if text else None for text in found]
            self._status = now, join_statuses([describe_node(*one) for one in zip(nodes, statuses, strict=True)], statuses)
        return self._status[1]

    async def metrics(self) -> str:
        await self._look_first()
        nodes = list(self._nodes)
        found = await asyncio.gather(*(self._get(node, "/metrics") for node in nodes))
        texts = {node.name: text.decode() for node, text in zip(nodes, found, strict=True) if text is not None}
        return label_metrics("node", texts).decode()

    async def close(self) -> None:
        if self._looking:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        await self._entries.close()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _get(self, node: Node, path: str) -> bytes | None:
        """Return a node's short answer, or None if it does not answer."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS), await self._entries.ask(node.name, "GET", path) as response:
                return await read_whole(response) if response.status == 200 else None
        except (RunnerUnavailable, TimeoutError):
            return None

    async def _look_first(self) -> None:
        """Wait for the first look at the nodes, which begins with the first request. Raises RunnerUnavailable if no node is known."""
        if self._looking is None:
            self._looking = asyncio.create_task(self._keep_looking())
        if not self._looked.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(2 * ANSWER_SECONDS):
                    await self._looked.wait()
        if not list(self._nodes):
            raise RunnerUnavailable("no node of the cluster is in reach")

    async def _keep_looking(self) -> None:
        """Look at the nodes regularly, until cancelled."""
        while True:
            try:
                self._nodes.update(await self._entries.find_nodes())
                await asyncio.gather(*(self._look_at(node) for node in self._nodes))
            except RunnerError as error:  # the nodes that are known stay, and orders find out themselves
                log.warning("cluster_silent", reason=str(error))
            self._looked.set()
            await asyncio.sleep(LOOK_SECONDS)

    async def _look_at(self, node: Node) -> None:
        view = ClusterView(nodes=max(len(self._nodes.accepting), 1))
        node.ask()
        before = node.problem
        try:
            async with (
                asyncio.timeout(ANSWER_SECONDS),
                await self._entries.ask(node.name, "POST", "/load", data=msgspec.json.encode(view)) as response,
            ):
                await raise_refusal(response)
                node.answer(decode(await read_whole(response), msgspec.json.Decoder(NodeLoad)), hash_build())
        except (RunnerError, TimeoutError) as error:
            node.problem = str(error) or "it does not answer in time"
        if node.problem != before:
            log.info("node_changed", node=node.name, problem=node.problem)
