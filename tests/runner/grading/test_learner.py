"""The learner's child of a submission: how it is replaced by a fresh one, paused, and given up."""

import asyncio
import signal

import pytest

from app.protocol.channel import Answer, Ask, Begun, Examine, Execute, Over, Touch, Touched
from app.protocol.grading import Verdict
from app.protocol.outcome import Outcome
from app.protocol.run import RunError
from app.runner.grading import learner
from app.runner.queue.ticket import TicketState
from tests.patience import PATIENCE_SECONDS
from tests.runner.grading.relayed_pair import EXAMINATION, ORDER, RelayedPair, with_relay


def test_children_that_still_warm_up_when_they_are_taken_may_say_so() -> None:
    async def scenario() -> None:
        pair = RelayedPair()
        pair.grader.child.touch(lambda: None)
        pair.fresh.child.touch(lambda: None)
        judging = asyncio.create_task(pair.judge())
        assert await pair.grader.receive() == Touch()
        assert await pair.grader.receive() == Examine(EXAMINATION)
        pair.grader.send(Touched(), Ask(serial=1, request=b"q", fresh=True))
        assert await pair.fresh.receive() == Touch()
        assert await pair.fresh.receive() == Execute(program=ORDER.program, serving=True)
        pair.fresh.send(Touched(), Begun(), Over(ending="finished"))
        assert await pair.fresh.receive() == Ask(serial=1, request=b"q")
        pair.fresh.send(Answer(serial=1, reply=b"r"))
        assert await pair.grader.receive() == Answer(serial=1, reply=b"r")
        await pair.finish(judging)
        for fake in (pair.grader, pair.learner, pair.fresh):
            fake.close()

    async def in_time() -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await scenario()

    asyncio.run(in_time())


def test_a_fresh_child_whose_program_ends_otherwise_is_gone_and_the_next_may_do_better() -> None:
    async def scenario(pair: RelayedPair, judging: "asyncio.Task[Verdict]") -> None:
        pair.grader.send(Ask(serial=1, request=b"q", fresh=True))
        await pair.fresh.receive()
        pair.fresh.send(Begun(), Over(ending="raised", error=RunError(type="E", message="m")))
        assert await pair.grader.receive() == Answer(serial=1, reply=None, gone=Outcome.RAISED)
        assert pair.children.given_back == [pair.learner.child, pair.fresh.child]
        pair.grader.send(Ask(serial=2, request=b"q"))
        assert await pair.grader.receive() == Answer(serial=2, reply=None, gone=Outcome.RAISED)
        await pair.finish(judging)

    with_relay(scenario)


def test_a_learners_child_that_goes_while_the_grader_answers_it_is_answered_for_after_that() -> None:
    async def scenario(pair: RelayedPair, judging: "asyncio.Task[Verdict]") -> None:
        pair.grader.send(Ask(serial=1, request=b"q"))
        await pair.learner.receive()
        pair.learner.send(Ask(serial=1, request=b"back"), Ask(serial=2, request=b"twice"))
        assert await pair.grader.receive() == Ask(serial=1, request=b"back")
        pair.grader.send(Answer(serial=1, reply=b"there"))
        assert await pair.grader.receive() == Answer(serial=1, reply=None, gone=Outcome.CRASHED)
        await pair.finish(judging)

    with_relay(scenario)


def test_what_a_learners_child_may_say_is_capped_in_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner, "FRAMES", 2)

    async def scenario(pair: RelayedPair, judging: "asyncio.Task[Verdict]") -> None:
        for number in (1, 2):
            pair.grader.send(Ask(serial=number, request=b"q"))
            await pair.learner.receive()
            pair.learner.send(Answer(serial=number, reply=b"r"))
            assert await pair.grader.receive() == Answer(serial=number, reply=b"r")
        pair.grader.send(Ask(serial=3, request=b"q"))
        await pair.learner.receive()
        pair.learner.send(Answer(serial=3, reply=b"r"))
        assert await pair.grader.receive() == Answer(serial=3, reply=None, gone=Outcome.OUTPUT_LIMIT)
        await pair.finish(judging)

    with_relay(scenario)


def test_a_child_that_stood_still_when_its_run_was_over_goes_on() -> None:
    async def scenario(pair: RelayedPair, judging: "asyncio.Task[Verdict]") -> None:
        assert pair.learner.child.signals == [signal.SIGCONT]
        await pair.finish(judging)

    with_relay(scenario)


def test_a_pause_holds_a_fresh_child_too() -> None:
    async def scenario(pair: RelayedPair, judging: "asyncio.Task[Verdict]") -> None:
        pair.grader.send(Ask(serial=1, request=b"q", fresh=True))
        await pair.fresh.receive()
        pair.children.enter(TicketState.PAUSED)
        assert pair.fresh.child.signals[-1] == signal.SIGSTOP
        pair.fresh.send(Begun(), Over(ending="finished"))  # it was under way
        await pair.fresh.receive()
        pair.children.enter(TicketState.RUNNING)
        assert signal.SIGCONT in pair.fresh.child.signals
        pair.fresh.send(Answer(serial=1, reply=b"r"))
        assert await pair.grader.receive() == Answer(serial=1, reply=b"r")
        await pair.finish(judging)

    with_relay(scenario)
