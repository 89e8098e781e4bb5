"""Turns are fair. The work of a caller who has left is ended or finished, as the caller asked, and the next one gets the turn."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from app.protocol.owner import Owner
from app.runner.drawing.layout_workers import Allowance, LayoutWorkers
from app.runner.drawing.turns import Turns


class Work:
    """Something that is done when a test says so."""

    def __init__(self, name: str, log: list[str]) -> None:
        self._name = name
        self._log = log
        self.go = asyncio.Event()

    async def __call__(self) -> str:
        self._log.append(self._name)
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self._log.append(f"{self._name} cut")
            raise
        self._log.append(f"{self._name} done")
        return self._name


def run(scenario: Callable[[], Awaitable[Any]]) -> Any:
    async def in_time() -> Any:
        async with asyncio.timeout(30):
            return await scenario()

    return asyncio.run(in_time())


def owner(learner: str, address: str = "here") -> Owner:
    return Owner(address, learner)


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_who_had_it_for_less_goes_first() -> None:
    async def scenario() -> list[str]:
        log: list[str] = []
        turns = Turns()
        first = Work("greedy 1", log)
        others = [Work("greedy 2", log), Work("greedy 3", log), Work("modest", log)]
        owners = ["greedy", "greedy", "modest"]
        tasks = [asyncio.create_task(turns.run(owner("greedy"), first))]
        await settle()
        tasks += [asyncio.create_task(turns.run(owner(name), work)) for name, work in zip(owners, others, strict=True)]
        await settle()
        for work in (first, *others):
            work.go.set()
        await asyncio.gather(*tasks)
        return [entry for entry in log if not entry.endswith("done")]

    assert run(scenario) == ["greedy 1", "modest", "greedy 2", "greedy 3"]


def test_who_leaves_before_their_turn_has_nothing_done_and_holds_nobody_up() -> None:
    async def scenario() -> list[str]:
        log: list[str] = []
        turns = Turns()
        works = [Work(name, log) for name in "abc"]
        tasks = [asyncio.create_task(turns.run(owner(name), work)) for name, work in zip("abc", works, strict=True)]
        await settle()
        tasks[1].cancel()
        await settle()
        for work in works:
            work.go.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        return log

    assert run(scenario) == ["a", "a done", "c", "c done"]


def test_addresses_take_turns_before_their_learners_do() -> None:
    async def scenario() -> list[str]:
        log: list[str] = []
        turns = Turns()
        works = [Work(name, log) for name in ("a", "b", "c", "elsewhere")]
        owners = [owner("a"), owner("b"), owner("c"), owner("d", "there")]
        tasks = [asyncio.create_task(turns.run(one, work)) for one, work in zip(owners, works, strict=True)]
        await settle()
        for work in works:
            work.go.set()
        await asyncio.gather(*tasks)
        return [entry for entry in log if not entry.endswith("done")]

    assert run(scenario) == ["a", "elsewhere", "b", "c"]


def test_who_leaves_as_the_turn_is_passed_on_holds_nobody_up() -> None:
    async def scenario() -> list[str]:
        log: list[str] = []
        turns = Turns()
        works = [Work(name, log) for name in "abc"]
        tasks = [asyncio.create_task(turns.run(owner(name), work)) for name, work in zip("abc", works, strict=True)]
        await settle()
        works[2].go.set()
        works[0].go.set()  # `a` is woken first, and passes its turn on
        tasks[1].cancel()  # before `b` hears of this
        await asyncio.gather(*tasks, return_exceptions=True)
        return log

    assert run(scenario) == ["a", "a done", "c", "c done"]


@pytest.mark.parametrize(("grace_seconds", "expected"), [(0.0, ["a", "a cut", "b"]), (None, ["a", "a done", "b"])])
def test_what_is_abandoned_ends_or_is_let_finish_and_the_turn_goes_on_after_it(grace_seconds: float | None, expected: list[str]) -> None:
    async def scenario() -> list[str]:
        log: list[str] = []
        turns = Turns()
        abandoned, other = Work("a", log), Work("b", log)
        other.go.set()
        task = asyncio.create_task(turns.run(owner("a"), abandoned, grace_seconds=grace_seconds))
        await settle()
        next_task = asyncio.create_task(turns.run(owner("b"), other))
        await settle()
        task.cancel()
        if grace_seconds is None:
            await settle()
            assert log == ["a"]
            abandoned.go.set()
        await next_task
        return log[:-1]

    assert run(scenario) == expected


def test_what_fails_is_told_and_the_turn_goes_on() -> None:
    async def fail() -> None:
        raise ValueError("no")

    async def scenario() -> str:
        turns = Turns()
        with pytest.raises(ValueError, match="no"):
            await turns.run(owner("a"), fail)
        work = Work("b", [])
        work.go.set()
        return await turns.run(owner("b"), work)

    assert run(scenario) == "b"


def test_what_is_rendered_for_who_has_left_is_charged_when_it_is_done() -> None:
    async def scenario() -> float:
        used: list[float] = []
        allowance = Allowance(10.0, owner("ann"), used.append)
        layout, loop = LayoutWorkers(), asyncio.get_running_loop()
        begun, go = asyncio.Event(), asyncio.Event()

        def work() -> None:
            loop.call_soon_threadsafe(begun.set)
            asyncio.run_coroutine_threadsafe(go.wait(), loop).result()

        task = asyncio.create_task(layout.compute(work, allowance, is_long=True))
        await begun.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert not used
        go.set()
        await layout.compute(lambda: None, Allowance(10.0, owner("bob")), is_long=True)  # waits for its turn
        return sum(used)

    assert run(scenario) > 0


def test_what_fails_after_its_caller_has_left_is_not_reported_as_a_fault_of_ours() -> None:
    async def scenario() -> list[dict[str, Any]]:
        reported: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
        begun, go = asyncio.Event(), asyncio.Event()

        async def fail() -> None:
            begun.set()
            await go.wait()
            raise ValueError("it cannot be drawn")

        task = asyncio.create_task(Turns().run(owner("a"), fail, grace_seconds=None))
        await begun.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        go.set()
        await settle()
        gc.collect()  # asyncio reports an exception that nobody retrieved when its task is deleted
        return reported

    assert run(scenario) == []
