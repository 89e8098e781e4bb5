"""LayoutWorker from the runner's side: deadlines, deaths and restarts of the process, and the notes that stand in for a picture."""

import asyncio
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from app.protocol.geometry import LayoutLink, LayoutReady, LayoutRequest
from app.protocol.limits import Limits
from app.protocol.records.graph import GraphEdge, GraphNode, GraphRecord
from app.runner.drawing import layout_process
from app.runner.drawing.layout_process import LayoutFailed, LayoutProcess
from app.runner.drawing.layout_workers import Allowance, LayoutWorker, LayoutWorkers
from app.runner.drawing.pictures import Pictures
from app.runner.readable import readable
from app.sandbox.framing import encode_frame
from tests.bench.processes import command, descendants, parent
from tests.runner.chaos.anatomy import LAYOUT

Result = TypeVar("Result")
Layout = TypeVar("Layout", LayoutWorker, LayoutWorkers)

UID = 65_001 if os.geteuid() == 0 else None
SMALL = LayoutRequest(nodes=[(100.0, 30.0)] * 3, links=[LayoutLink(0, 1), LayoutLink(1, 2)])
TANGLED = [LayoutLink(i, (i * i + j * 37) % 600) for i in range(600) for j in range(9)]
TANGLE = LayoutRequest(nodes=[(100.0, 30.0)] * 600, links=TANGLED, engine="dot")  # which takes minutes


def with_layout(use: Callable[[LayoutWorker], Awaitable[Result]]) -> Result:
    return _with(LayoutWorker(UID), use)


def with_layouts(use: Callable[[LayoutWorkers], Awaitable[Result]]) -> Result:
    return _with(LayoutWorkers(UID), use)


def _with(layout: Layout, use: Callable[[Layout], Awaitable[Result]]) -> Result:
    async def scenario() -> Result:
        await layout.start()
        try:
            return await use(layout)
        finally:
            await layout.close()

    return asyncio.run(scenario())


def find_process() -> int:
    """The layout process that this process has started."""
    own = os.getpid()
    (pid,) = [pid for pid in descendants(own) if parent(pid) == own and LAYOUT in command(pid)]
    return pid


def test_a_graph_is_laid_out() -> None:
    geometry = with_layout(lambda layout: layout.arrange(SMALL, Allowance(30)))
    assert len(geometry.centres) == 3


def test_graphs_asked_at_once_are_each_answered() -> None:
    async def use(layout: LayoutWorker) -> list[int]:
        requests = [LayoutRequest(nodes=[(50.0, 20.0)] * count, links=[]) for count in range(1, 20)]
        return [
            len(geometry.centres) for geometry in await asyncio.gather(*(layout.arrange(request, Allowance(30)) for request in requests))
        ]

    assert with_layout(use) == list(range(1, 20))


def test_a_deadline_overrun_fails_and_the_next_graph_is_laid_out() -> None:
    async def use(layout: LayoutWorker) -> int:
        slow = find_process()
        with pytest.raises(LayoutFailed, match="time allowed"):
            await layout.arrange(TANGLE, Allowance(0.05))
        await layout.arrange(SMALL, Allowance(30))
        assert find_process() != slow
        return slow

    assert not os.path.exists(f"/proc/{with_layout(use)}")


def test_a_process_killed_in_mid_request_fails_that_graph_only() -> None:
    async def use(layout: LayoutWorker) -> None:
        asked = asyncio.create_task(layout.arrange(TANGLE, Allowance(30)))
        await asyncio.sleep(0)  # lets it ask
        os.kill(find_process(), signal.SIGKILL)
        with pytest.raises(LayoutFailed):
            await asked
        await layout.arrange(SMALL, Allowance(30))

    with_layout(use)


def test_a_process_killed_while_idle_costs_nobody_a_graph() -> None:
    async def use(layout: LayoutWorker) -> None:
        killed = find_process()
        pidfd = os.pidfd_open(killed)
        os.kill(killed, signal.SIGKILL)
        await readable(pidfd)
        os.close(pidfd)
        await layout.arrange(SMALL, Allowance(30))
        assert find_process() != killed

    with_layout(use)


RUNNER = """
import asyncio, os
from app.runner.drawing.layout_workers import Allowance, LayoutWorker, LayoutWorkers
from tests.runner.drawing.test_layout_workers import TANGLE, find_process

async def run():
    layout = LayoutWorker(65_001 if os.geteuid() == 0 else None)
    await layout.start()
    print(find_process(), flush=True)
    await layout.arrange(TANGLE, Allowance(60))

asyncio.run(run())
"""


def test_a_runner_that_is_killed_leaves_no_layout_process_behind() -> None:
    runner = subprocess.Popen([sys.executable, "-c", RUNNER], stdout=subprocess.PIPE)
    assert runner.stdout is not None
    pidfd = os.pidfd_open(int(runner.stdout.readline()))
    runner.kill()
    runner.communicate()
    ended, _, _ = select.select([pidfd], [], [], 30)
    os.close(pidfd)
    assert ended


def test_a_cancelled_request_leaves_no_answer_behind_for_the_next() -> None:
    async def use(layout: LayoutWorker) -> int:
        asked = asyncio.create_task(layout.arrange(TANGLE, Allowance(30)))
        await asyncio.sleep(0)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        return len((await layout.arrange(SMALL, Allowance(30))).centres)

    assert with_layout(use) == 3


def test_closing_ends_the_process() -> None:
    async def use(layout: LayoutWorker) -> int:
        return find_process()

    assert not os.path.exists(f"/proc/{with_layout(use)}")


def test_a_closed_layout_fails_at_once() -> None:
    async def scenario() -> None:
        with pytest.raises(LayoutFailed):
            await LayoutWorker().arrange(SMALL, Allowance(30))

    asyncio.run(scenario())


def graph(count: int, edges: list[tuple[int, int]], label: str = "MulBackward0") -> GraphRecord:
    nodes = [GraphNode(id=f"n{index}", kind="function", label=label) for index in range(count)]
    return GraphRecord(nodes=nodes, edges=[GraphEdge(source=f"n{a}", target=f"n{b}") for a, b in edges])


def draw(record: GraphRecord, limits: Limits, lang: str = "en") -> GraphRecord:
    return with_layouts(lambda layout: Pictures(layout, limits, "zh-Hans" if lang == "zh-Hans" else "en").complete(record))


def test_a_picture_is_drawn_with_every_node_and_edge() -> None:
    drawn = draw(graph(3, [(0, 1), (1, 2)]), Limits())
    assert drawn.note is None
    assert drawn.svg is not None
    assert (drawn.svg.count('class="node '), drawn.svg.count('class="edge"')) == (3, 2)


def test_too_many_nodes_give_a_note_and_no_picture() -> None:
    drawn = draw(graph(11, []), Limits(graph_nodes=10))
    assert drawn.svg is None
    assert "11 nodes" in (drawn.note or "")


def test_too_many_edges_give_a_note_and_no_picture() -> None:
    drawn = draw(graph(2, [(0, 1)] * 100), Limits(graph_nodes=10))
    assert drawn.svg is None
    assert "100 edges" in (drawn.note or "")


def test_an_empty_graph_gives_a_note() -> None:
    drawn = draw(graph(0, []), Limits())
    assert drawn.svg is None
    assert "empty" in (drawn.note or "")


def test_a_layout_that_takes_too_long_gives_a_note_that_says_so() -> None:
    tangle = graph(600, [(link.tail, link.head) for link in TANGLE.links])
    drawn = draw(tangle, Limits(layout_seconds=0.05))
    assert drawn.svg is None
    assert "took longer than the 0.05 s" in (drawn.note or "")


def test_notes_come_in_the_learners_language() -> None:
    assert "节点" in (draw(graph(11, []), Limits(graph_nodes=10), "zh-Hans").note or "")


def test_a_layout_process_that_is_not_confined_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    idle = "import os\nfrom app.protocol.geometry import LayoutReady\nfrom app.sandbox.framing import write_frame\n"
    idle += "write_frame(0, LayoutReady())\nos.read(0, 1)"
    monkeypatch.setattr(layout_process, "COMMAND", (sys.executable, "-c", idle))

    async def start() -> None:
        await LayoutProcess.start(None)

    with pytest.raises(LayoutFailed, match="is not confined"):
        asyncio.run(start())


def test_a_small_graph_does_not_wait_for_a_large_one() -> None:
    async def use(layouts: LayoutWorkers) -> int:
        large = asyncio.create_task(layouts.arrange(TANGLE, Allowance(60)))
        await asyncio.sleep(0)
        geometry = await layouts.arrange(SMALL, Allowance(30))
        assert not large.done()
        large.cancel()
        return len(geometry.centres)

    assert with_layouts(use) == 3


def all_processes() -> set[int]:
    own = os.getpid()
    return {pid for pid in descendants(own) if parent(pid) == own and LAYOUT in command(pid)}


def test_a_small_graph_that_is_abandoned_is_let_finish_by_the_same_process() -> None:
    async def scenario() -> None:
        layout = LayoutWorker(UID, finishes=True)
        await layout.start()
        try:
            before = all_processes()
            for _ in range(3):
                asked = asyncio.create_task(layout.arrange(SMALL, Allowance(30)))
                await asyncio.sleep(0)
                await asyncio.sleep(0)  # lets it ask
                asked.cancel()
                await asyncio.gather(asked, return_exceptions=True)
                assert len((await layout.arrange(SMALL, Allowance(30))).centres) == 3
            assert all_processes() == before
        finally:
            await layout.close()

    asyncio.run(scenario())


def test_when_a_large_layout_is_abandoned_a_warm_process_goes_on_and_the_abandoner_pays() -> None:
    async def scenario() -> None:
        layout = LayoutWorker(UID, processes=2)
        await layout.start()
        try:
            while len(layout._processes) < 2:
                await asyncio.sleep(0.01)
            before = all_processes()
            allowance = Allowance(30)
            asked = asyncio.create_task(layout.arrange(TANGLE, allowance))
            await asyncio.sleep(0.01)  # lets it ask
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
            await layout.arrange(SMALL, Allowance(30))
            assert len(before & {process._process.pid for process in layout._processes}) == 1
            assert allowance.seconds < 30 - 0.3
        finally:
            await layout.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("turns", range(12))
def test_a_start_that_is_given_up_as_the_process_gets_warm_ends(monkeypatch: pytest.MonkeyPatch, turns: int) -> None:
    """`turns`: how many turns of the event loop pass before the end. After some of them the report was read but not used."""
    ends: list[socket.socket] = []

    def spawn(channel: socket.socket, _: int | None) -> "subprocess.Popen[bytes]":
        ends.append(channel.dup())
        return subprocess.Popen(["sleep", "60"])

    async def scenario() -> None:
        monkeypatch.setattr(layout_process, "spawn", spawn)
        monkeypatch.setattr(layout_process, "verify_process", lambda *_: None)
        layout = LayoutWorker()
        starting = asyncio.create_task(layout.start())
        while not ends:
            await asyncio.sleep(0)
        ends[0].sendall(encode_frame(LayoutReady()))
        for _ in range(turns):
            await asyncio.sleep(0)
        async with asyncio.timeout(10):
            await layout.close()
        starting.cancel()

    asyncio.run(scenario())
    ends[0].close()
