"""What web makes of a cluster's answers. The nodes are canned."""

import asyncio

import msgspec
import pytest

from app.protocol.event import RunEvent
from app.protocol.grading import GradeOrder, Rubric
from app.protocol.run import Program, RunOrder, RunResult, Source, TraceOrder
from app.runner.build import hash_build
from app.runner.client import (
    QueueFull,
    Refusal,
    RunLost,
    RunnerIncompatible,
    RunnerUnavailable,
    RuntimeAbsence,
    RuntimeAbsent,
    RunUntraceable,
)
from app.runner.cluster.ray_runner import RayRunner
from tests.runner.cluster.fake_cluster import FakeNode, cluster_of

pytestmark = pytest.mark.anyio
ORDER = RunOrder(program=Program(source=Source(text="1 + 1")), learner="alice", address="10.0.0.1")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def run(runner: RayRunner, order: RunOrder = ORDER) -> list[RunEvent]:
    async with runner.run(order) as stream:
        return [event async for event in stream]


async def test_a_run_goes_to_the_freest_node_which_is_told_the_build_and_how_many_share_the_caps() -> None:
    full, free = FakeNode("n1", runs=5), FakeNode("n2")
    async with cluster_of(full, free) as runner:
        events = await run(runner)
        assert isinstance(events[-1], RunResult) and events[-1].id == "n2-1"
        assert (full.orders, free.orders) == ([], ["POST /runs"])
        assert free.builds == [hash_build()]
        async with asyncio.timeout(20):
            while (full.shared_by, free.shared_by) != (2, 2):
                await asyncio.sleep(0.05)


async def test_an_order_without_an_answer_is_sent_to_one_other_node_once() -> None:
    nodes = [FakeNode(f"n{number}") for number in (1, 2, 3)]
    async with cluster_of(*nodes) as runner:
        await runner.status()  # all have answered once
        nodes[0].silent = True
        assert isinstance((await run(runner))[-1], RunResult)
        nodes[1].silent = nodes[2].silent = True
        with pytest.raises(RunnerUnavailable):
            await run(runner)
        assert nodes[0].orders == []


async def test_a_run_that_was_accepted_is_never_sent_again() -> None:
    first, second = FakeNode("n1", spares=9), FakeNode("n2")
    first.events = first.events[:1]  # it has not even begun, but its id is known
    async with cluster_of(first, second) as runner:
        assert len(await run(runner)) == 1  # web reports a run without an end as lost
        first.events = [first.events[0][:-3]]
        with pytest.raises(RunLost):
            await run(runner, msgspec.structs.replace(ORDER, learner="bob"))
    assert (first.orders, second.orders) == (["POST /runs"], ["POST /runs"]) or second.orders == []


async def test_another_build_is_refused_and_another_node_asked() -> None:
    old, new = FakeNode("n1", spares=9), FakeNode("n2")
    old.status, old.body = 422, b"the order is of another build"
    async with cluster_of(old, new) as runner:
        assert isinstance((await run(runner))[-1], RunResult)
        assert (old.orders, new.orders) == (["POST /runs"], ["POST /runs"])
        new.status = 422
        with pytest.raises(RunnerIncompatible):
            await run(runner)


@pytest.mark.parametrize(("reason", "asked"), [("learner", False), ("address", False), ("overall", True), ("memory", True)])
async def test_a_full_queue_is_passed_on_and_another_node_asked_only_if_the_cap_is_the_nodes_own(reason: str, asked: bool) -> None:
    full, free = FakeNode("n1", spares=9), FakeNode("n2")
    full.status, full.body = 429, msgspec.json.encode(Refusal(reason, 7))  # type: ignore[arg-type]
    async with cluster_of(full, free) as runner:
        if asked:
            await run(runner)
        else:
            with pytest.raises(QueueFull) as caught:
                await run(runner)
            assert (caught.value.reason, caught.value.retry_after_seconds) == (reason, 7)
    assert bool(free.orders) is asked


async def test_a_missing_runtime_is_looked_for_elsewhere_and_then_missing() -> None:
    nodes = [FakeNode("n1", installed=["torch", "jax"]), FakeNode("n2")]
    for node in nodes:
        node.status, node.body = 404, msgspec.json.encode(RuntimeAbsence("jax", ["torch"], "jax"))
    async with cluster_of(*nodes) as runner:
        with pytest.raises(RuntimeAbsent):
            await run(runner, msgspec.structs.replace(ORDER, runtime="jax"))
    assert all(node.orders for node in nodes)


async def test_stopping_and_second_runs_go_to_the_node_that_the_id_names_and_forgetting_to_all() -> None:
    nodes = [FakeNode("n1"), FakeNode("n2")]
    async with cluster_of(*nodes) as runner:
        assert await runner.stop("n2-1", "alice")
        assert not await runner.stop("n9-1", "alice")
        async with runner.trace(TraceOrder(run_id="n2-1", learner="alice", address="")) as stream:
            assert [event async for event in stream]
        with pytest.raises(RunUntraceable):
            async with runner.trace(TraceOrder(run_id="1", learner="alice", address="")):
                pass
        await runner.forget("alice")
    assert nodes[0].orders == ["DELETE /orders"]
    assert nodes[1].orders == ["DELETE /runs/n2-1", "POST /traces", "DELETE /orders"]


async def test_whoever_leaves_a_run_ends_its_connection_to_the_node() -> None:
    node = FakeNode("n1")
    node.hold = True
    async with cluster_of(node) as runner:
        async with runner.run(ORDER) as stream:
            assert stream.run_id == "n1-1"
            await anext(aiter(stream))
        async with asyncio.timeout(20):
            await node.left.wait()


async def test_a_learners_second_run_goes_where_the_first_has_not_ended() -> None:
    first, second = FakeNode("n1", places=1, spares=9), FakeNode("n2")
    first.load.places = 4
    first.hold = True
    async with cluster_of(first, second) as runner, runner.run(ORDER):
        assert first.orders == ["POST /runs"]
        first.hold = False
        first.load.runs = 9
        await run(runner)
        assert first.orders == ["POST /runs"] * 2


async def test_a_submission_is_one_order() -> None:
    node = FakeNode("n1")
    async with cluster_of(node) as runner, runner.grade(GradeOrder(run=ORDER, exercise=Rubric())) as stream:
        assert stream.run_id == "n1-1"
    assert node.orders == ["POST /submissions"]


async def test_the_status_and_metrics_of_all_nodes_are_joined_and_name_them() -> None:
    nodes = [FakeNode("n1"), FakeNode("n2", build="other"), FakeNode("n3")]
    async with cluster_of(*nodes) as runner:
        await run(runner)
        nodes[2].silent = True
        status = await runner.status()
        assert status.ready
        assert [(node.name, bool(node.versions or node.build)) for node in status.nodes] == [("n1", True), ("n2", True), ("n3", True)]
        assert "its build is other" in (status.nodes[1].reason or "")
        text = await runner.metrics()
        assert 'gradroom_queue_depth{node="n1"} 3.0' in text and 'node="n3"' not in text


async def test_without_the_token_no_node_accepts_anything() -> None:
    node = FakeNode("n1")
    async with cluster_of(node, token="wrong") as runner:
        with pytest.raises(RunnerUnavailable):
            await run(runner)
        status = await runner.status()
        assert not status.ready and "GRADROOM_RUNNER_TOKEN" in (status.reason or "")
    assert node.orders == []


async def test_a_cluster_without_an_entry_is_unavailable() -> None:
    async with RayRunner(["127.0.0.1:9"], "t") as runner:
        with pytest.raises(RunnerUnavailable):
            await run(runner)
