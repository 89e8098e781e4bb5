"""The relay between the grader's child and the learner's: which messages it passes on, which it refuses, and pauses of both."""

import asyncio
import signal

import msgspec
import pytest

from app.protocol.channel import Answer, Ask, Begun, Checked, Execute, Judged, Over, Up
from app.protocol.grading import CheckResult, Verdict
from app.protocol.outcome import Outcome
from app.runner.grading import message_broker
from app.runner.grading.message_broker import GraderFailed, RelayStopped
from app.runner.queue.ticket import TicketState
from tests.runner.grading.relayed_pair import CAPS, ORDER, PASSED, RelayedPair, with_relay


def test_each_child_counts_from_one_and_a_fresh_one_begins_anew() -> None:
    async def scenario(pair: RelayedPair, judging: "asyncio.Task[Verdict]") -> None:
        for number in (1, 2):
            pair.grader.send(Ask(serial=number, request=b"q"))
            assert await pair.learner.receive() == Ask(serial=number, request=b"q")
            pair.learner.send(Ask(serial=number, request=b"back"))
            assert await pair.grader.receive() == Ask(serial=number, request=b"back")
            pair.grader.send(Answer(serial=number, reply=b"there"))
            assert await pair.learner.receive() == Answer(serial=number, reply=b"there")
            pair.learner.send(Answer(serial=number, reply=b"r"))
            assert await pair.grader.receive() == Answer(serial=number, reply=b"r")
        pair.grader.send(Ask(serial=3, request=b"q", fresh=True))
        assert await pair.fresh.receive() == Execute(program=ORDER.program, serving=True)
        assert pair.children.given_back == [pair.learner.child]
        pair.fresh.send(Begun(), Over(ending="finished"))
        assert await pair.fresh.receive() == Ask(serial=1, request=b"q")
        pair.fresh.send(Ask(serial=1, request=b"back"))
        assert await pair.grader.receive() == Ask(serial=3, request=b"back")
        pair.grader.send(Answer(serial=3, reply=b"there"))
        assert await pair.fresh.receive() == Answer(serial=1, reply=b"there")
        pair.fresh.send(Answer(serial=1, reply=b"r"))
        assert await pair.grader.receive() == Answer(serial=3, reply=b"r")
        await pair.finish(judging)

    with_relay(scenario)


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("frame", [Ask(serial=1, request=b"", fresh=True), Ask(serial=2, request=b""), Ask(serial=0, request=b"")])
def test_a_question_of_the_learners_that_has_no_place_is_not_passed_on(frame: Ask, asked: bool) -> None:
    _nothing_of_it_reaches_the_grader(frame, asked)


def test_nor_is_one_before_it_was_asked_anything() -> None:
    _nothing_of_it_reaches_the_grader(Ask(serial=1, request=b""), False)


def _nothing_of_it_reaches_the_grader(frame: Ask, asked: bool) -> None:
    async def scenario(pair: RelayedPair, judging: "asyncio.Task[Verdict]") -> None:
        if asked:
            pair.grader.send(Ask(serial=1, request=b"q"))
            await pair.learner.receive()
            pair.learner.send(frame)
        else:
            pair.learner.send(frame)
            while not pair.children.given_back:
                await asyncio.sleep(0)
            pair.grader.send(Ask(serial=1, request=b"q"))
        assert await pair.grader.receive() == Answer(serial=1, reply=None, gone=Outcome.CRASHED)
        assert pair.children.given_back == [pair.learner.child]
        await pair.finish(judging)

    with_relay(scenario)


TWICE = Checked(CheckResult(id="a", passed=True))


@pytest.mark.parametrize(
    "frames",
    [
        (Ask(serial=1, request=b""), Ask(serial=2, request=b"")),
        (Ask(serial=2, request=b""),),
        (Answer(serial=1, reply=b""),),
        (Ask(serial=1, request=b""), TWICE),
        (Ask(serial=1, request=b""), Judged(PASSED)),
        (TWICE, TWICE),
        tuple(Checked(CheckResult(id=str(number), passed=True)) for number in range(65)),
    ],
)
def test_a_grader_that_says_what_has_no_place_fails(frames: tuple[Up, ...]) -> None:
    async def scenario(pair: RelayedPair, judging: "asyncio.Task[Verdict]") -> None:
        pair.grader.send(*frames)
        with pytest.raises(GraderFailed, match="no place"):
            await judging

    with_relay(scenario)


@pytest.mark.parametrize(("cap", "value"), [("QUESTIONS", 2), ("ANSWERED_BYTES", 5)])
def test_a_learners_check_that_asks_too_much_is_ended_and_the_grader_is_told(monkeypatch: pytest.MonkeyPatch, cap: str, value: int) -> None:
    monkeypatch.setattr(message_broker, cap, value)

    async def scenario(pair: RelayedPair, judging: "asyncio.Task[Verdict]") -> None:
        pair.grader.send(Ask(serial=1, request=b"judge"))
        await pair.learner.receive()
        for number in (1, 2):
            pair.learner.send(Ask(serial=number, request=b"q"))
            await pair.grader.receive()
            pair.grader.send(Answer(serial=number, reply=b"r?"))
            assert await pair.learner.receive() == Answer(serial=number, reply=b"r?")
        pair.learner.send(Ask(serial=3, request=b"q"))
        await pair.grader.receive()
        pair.grader.send(Answer(serial=3, reply=b"r?"))
        assert await pair.grader.receive() == Answer(serial=1, reply=None, gone=Outcome.OUTPUT_LIMIT)
        await pair.finish(judging)

    with_relay(scenario)


def test_a_grader_that_says_nothing_fails_and_time_in_which_it_waits_does_not_count() -> None:
    async def scenario(pair: RelayedPair, judging: "asyncio.Task[Verdict]") -> None:
        pair.grader.send(Ask(serial=1, request=b"q"))
        await pair.learner.receive()
        await asyncio.sleep(0.2)
        pair.learner.send(Answer(serial=1, reply=b"r"))
        assert await pair.grader.receive() == Answer(serial=1, reply=b"r")
        with pytest.raises(GraderFailed, match="deadline"):
            await judging

    with_relay(scenario, msgspec.structs.replace(CAPS, seconds=0.1))


def test_a_grader_that_says_too_much_fails() -> None:
    async def scenario(pair: RelayedPair, judging: "asyncio.Task[Verdict]") -> None:
        pair.grader.send(Checked(CheckResult(id="x" * 64, passed=True)))
        with pytest.raises(GraderFailed, match="too much"):
            await judging

    with_relay(scenario, msgspec.structs.replace(CAPS, frame_bytes=64))


def test_a_pause_holds_both_and_no_time_passes_until_they_go_on() -> None:
    async def scenario(pair: RelayedPair, judging: "asyncio.Task[Verdict]") -> None:
        pair.children.enter(TicketState.PAUSED)
        assert pair.grader.child.signals[-1] == pair.learner.child.signals[-1] == signal.SIGSTOP
        await asyncio.sleep(0.3)  # the grader's time would be over
        assert not judging.done()
        pair.children.enter(TicketState.RUNNING)
        assert pair.grader.child.signals[-2:] == pair.learner.child.signals[-2:] == [signal.SIGSTOP, signal.SIGCONT]
        with pytest.raises(GraderFailed, match="deadline"):
            await judging

    with_relay(scenario, msgspec.structs.replace(CAPS, seconds=0.2))


def test_it_is_stopped_whether_it_has_begun_or_not() -> None:
    async def scenario(pair: RelayedPair, judging: "asyncio.Task[Verdict]") -> None:
        pair.children.stop()
        with pytest.raises(RelayStopped):
            await judging

    with_relay(scenario)

    async def before() -> None:
        pair = RelayedPair()
        pair.children.stop()
        with pytest.raises(RelayStopped):
            await pair.judge()

    asyncio.run(before())
