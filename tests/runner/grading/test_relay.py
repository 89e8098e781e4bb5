"""The relay between two children that are played by the test: what holds both, and what real children do too seldom or too slowly."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import cast

import msgspec
import pytest

from app.protocol.channel import HEADER_BYTES, Answer, Ask, Begun, Checked, Down, Examine, Execute, Judged, Over, Touch, Touched, Up
from app.protocol.event import CheckDone, Graded, RunEvent
from app.protocol.grading import CheckResult, Examination, GradeOrder, Rubric, Verdict
from app.protocol.limits import MEBIBYTE, Limits
from app.protocol.outcome import Outcome
from app.protocol.run import Program, RunError, RunOrder, RunResult, Source, Timing
from app.runner.conversation.child_handle import ChildHandle
from app.runner.conversation.conversation import Cut
from app.runner.conversation.peer import PeerCaps
from app.runner.grading import learner, relay
from app.runner.grading.grading_sequel import GradingSequel
from app.runner.grading.relay import GraderFailed, Relay, RelayStopped
from app.runner.runs.run_children import RunChildren
from app.sandbox.framing import encode_frame
from app.sandbox.rlimits import Budget
from tests.patience import PATIENCE_SECONDS

BUDGET = Budget(memory_bytes=64 * MEBIBYTE, cpu_seconds=1, scratch_bytes=MEBIBYTE, scratch_inodes=16, threads=4)
ORDER = RunOrder(program=Program(source=Source(text="1 / 0")), limits=Limits(deadline_seconds=20))
CAPS = PeerCaps(seconds=20, frame_bytes=1000, all_bytes=10_000, frames=100, output_bytes=1000)
EXAMINATION = Examination(exercise=Rubric(), sources=[], seed=1)
PASSED = Verdict(passed=True, checks=[CheckResult(id="a", passed=True)])


class Signalled(ChildHandle):
    """Its words come from this very process, which only notes what it is signalled."""

    signals: list[int]

    def signal(self, number: int) -> None:
        self.signals.append(number)


class Played:
    """A child's ends, and the runner's handle over the others."""

    def __init__(self) -> None:
        ours, self._channel = socket.socketpair()
        self._channel.setblocking(False)
        stdout, self._stdout = os.pipe()
        stderr, self._stderr = os.pipe()
        self.child = Signalled(0, BUDGET, None, None, ours, stdout, stderr)
        self.child.signals = []

    def say(self, *frames: Up) -> None:
        self._channel.send(b"".join(map(encode_frame, frames)))

    async def hear(self) -> Down:
        """The next frame that it is sent."""
        length = int.from_bytes(await self._receive(HEADER_BYTES))
        return msgspec.msgpack.decode(await self._receive(length), type=Down)

    async def _receive(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            data += await asyncio.get_running_loop().sock_recv(self._channel, count - len(data))
        return data

    def close(self) -> None:
        self.child.close()
        self._channel.close()
        os.close(self._stdout)
        os.close(self._stderr)


class Children:
    """Gives the test's children in turn."""

    def __init__(self, *played: Played) -> None:
        self._left = [one.child for one in played]
        self.given_back: list[ChildHandle] = []

    async def take(self) -> ChildHandle:
        return self._left.pop(0)

    def give_back(self, child: ChildHandle) -> None:
        self.given_back.append(child)


class Stage:
    """A relay between a grader and a learner's child, and the fresh one after it."""

    def __init__(self) -> None:
        self.grader, self.learner, self.fresh = Played(), Played(), Played()
        self.children = Children(self.fresh)
        self.checks: list[CheckResult] = []
        self.relay = Relay(ORDER, cast(RunChildren, self.children), self.checks.append)

    async def judge(self, caps: PeerCaps = CAPS) -> Verdict:
        return await self.relay.relay(self.grader.child, caps, self.learner.child, EXAMINATION)

    async def finish(self, judging: "asyncio.Task[Verdict]") -> None:
        self.grader.say(Judged(PASSED))
        assert await judging == PASSED


@asynccontextmanager
async def relaying(caps: PeerCaps = CAPS) -> AsyncIterator[tuple[Stage, "asyncio.Task[Verdict]"]]:
    """A relay that has sent the examination."""
    stage = Stage()
    judging = asyncio.create_task(stage.judge(caps))
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await stage.grader.hear() == Examine(EXAMINATION)
            yield stage, judging
    finally:
        judging.cancel()
        await asyncio.wait([judging])
        for played in (stage.grader, stage.learner, stage.fresh):
            played.close()


def play(scene: Callable[[Stage, "asyncio.Task[Verdict]"], Awaitable[None]], caps: PeerCaps = CAPS) -> None:
    async def scenario() -> None:
        async with relaying(caps) as (stage, judging):
            await scene(stage, judging)

    asyncio.run(scenario())


def test_each_child_counts_from_one_and_a_fresh_one_begins_anew() -> None:
    async def scene(stage: Stage, judging: "asyncio.Task[Verdict]") -> None:
        for number in (1, 2):
            stage.grader.say(Ask(serial=number, request=b"q"))
            assert await stage.learner.hear() == Ask(serial=number, request=b"q")
            stage.learner.say(Ask(serial=number, request=b"back"))
            assert await stage.grader.hear() == Ask(serial=number, request=b"back")
            stage.grader.say(Answer(serial=number, reply=b"there"))
            assert await stage.learner.hear() == Answer(serial=number, reply=b"there")
            stage.learner.say(Answer(serial=number, reply=b"r"))
            assert await stage.grader.hear() == Answer(serial=number, reply=b"r")
        stage.grader.say(Ask(serial=3, request=b"q", fresh=True))
        assert await stage.fresh.hear() == Execute(program=ORDER.program, serving=True)
        assert stage.children.given_back == [stage.learner.child]
        stage.fresh.say(Begun(), Over(ending="finished"))
        assert await stage.fresh.hear() == Ask(serial=1, request=b"q")
        stage.fresh.say(Ask(serial=1, request=b"back"))
        assert await stage.grader.hear() == Ask(serial=3, request=b"back")
        stage.grader.say(Answer(serial=3, reply=b"there"))
        assert await stage.fresh.hear() == Answer(serial=1, reply=b"there")
        stage.fresh.say(Answer(serial=1, reply=b"r"))
        assert await stage.grader.hear() == Answer(serial=3, reply=b"r")
        await stage.finish(judging)

    play(scene)


def test_children_that_still_warm_up_when_they_are_taken_may_say_so() -> None:
    async def scenario() -> None:
        stage = Stage()
        stage.grader.child.touch(lambda: None)
        stage.fresh.child.touch(lambda: None)
        judging = asyncio.create_task(stage.judge())
        assert await stage.grader.hear() == Touch()
        assert await stage.grader.hear() == Examine(EXAMINATION)
        stage.grader.say(Touched(), Ask(serial=1, request=b"q", fresh=True))
        assert await stage.fresh.hear() == Touch()
        assert await stage.fresh.hear() == Execute(program=ORDER.program, serving=True)
        stage.fresh.say(Touched(), Begun(), Over(ending="finished"))
        assert await stage.fresh.hear() == Ask(serial=1, request=b"q")
        stage.fresh.say(Answer(serial=1, reply=b"r"))
        assert await stage.grader.hear() == Answer(serial=1, reply=b"r")
        await stage.finish(judging)
        for played in (stage.grader, stage.learner, stage.fresh):
            played.close()

    async def in_time() -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await scenario()

    asyncio.run(in_time())


def test_a_fresh_child_whose_program_ends_otherwise_is_gone_and_the_next_may_do_better() -> None:
    async def scene(stage: Stage, judging: "asyncio.Task[Verdict]") -> None:
        stage.grader.say(Ask(serial=1, request=b"q", fresh=True))
        await stage.fresh.hear()
        stage.fresh.say(Begun(), Over(ending="raised", error=RunError(type="E", message="m")))
        assert await stage.grader.hear() == Answer(serial=1, reply=None, gone=Outcome.RAISED)
        assert stage.children.given_back == [stage.learner.child, stage.fresh.child]
        stage.grader.say(Ask(serial=2, request=b"q"))
        assert await stage.grader.hear() == Answer(serial=2, reply=None, gone=Outcome.RAISED)
        await stage.finish(judging)

    play(scene)


def test_a_learners_child_that_goes_while_the_grader_answers_it_is_answered_for_after_that() -> None:
    async def scene(stage: Stage, judging: "asyncio.Task[Verdict]") -> None:
        stage.grader.say(Ask(serial=1, request=b"q"))
        await stage.learner.hear()
        stage.learner.say(Ask(serial=1, request=b"back"), Ask(serial=2, request=b"twice"))
        assert await stage.grader.hear() == Ask(serial=1, request=b"back")
        stage.grader.say(Answer(serial=1, reply=b"there"))
        assert await stage.grader.hear() == Answer(serial=1, reply=None, gone=Outcome.CRASHED)
        await stage.finish(judging)

    play(scene)


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("frame", [Ask(serial=1, request=b"", fresh=True), Ask(serial=2, request=b""), Ask(serial=0, request=b"")])
def test_a_question_of_the_learners_that_has_no_place_is_not_passed_on(frame: Ask, asked: bool) -> None:
    _nothing_of_it_reaches_the_grader(frame, asked)


def test_nor_is_one_before_it_was_asked_anything() -> None:
    _nothing_of_it_reaches_the_grader(Ask(serial=1, request=b""), False)


def _nothing_of_it_reaches_the_grader(frame: Ask, asked: bool) -> None:
    async def scene(stage: Stage, judging: "asyncio.Task[Verdict]") -> None:
        if asked:
            stage.grader.say(Ask(serial=1, request=b"q"))
            await stage.learner.hear()
            stage.learner.say(frame)
        else:
            stage.learner.say(frame)
            while not stage.children.given_back:
                await asyncio.sleep(0)
            stage.grader.say(Ask(serial=1, request=b"q"))
        assert await stage.grader.hear() == Answer(serial=1, reply=None, gone=Outcome.CRASHED)
        assert stage.children.given_back == [stage.learner.child]
        await stage.finish(judging)

    play(scene)


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
    async def scene(stage: Stage, judging: "asyncio.Task[Verdict]") -> None:
        stage.grader.say(*frames)
        with pytest.raises(GraderFailed, match="no place"):
            await judging

    play(scene)


def test_what_a_learners_child_may_say_is_capped_in_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner, "FRAMES", 2)

    async def scene(stage: Stage, judging: "asyncio.Task[Verdict]") -> None:
        for number in (1, 2):
            stage.grader.say(Ask(serial=number, request=b"q"))
            await stage.learner.hear()
            stage.learner.say(Answer(serial=number, reply=b"r"))
            assert await stage.grader.hear() == Answer(serial=number, reply=b"r")
        stage.grader.say(Ask(serial=3, request=b"q"))
        await stage.learner.hear()
        stage.learner.say(Answer(serial=3, reply=b"r"))
        assert await stage.grader.hear() == Answer(serial=3, reply=None, gone=Outcome.OUTPUT_LIMIT)
        await stage.finish(judging)

    play(scene)


@pytest.mark.parametrize(("cap", "value"), [("QUESTIONS", 2), ("ANSWERED_BYTES", 5)])
def test_a_learners_check_that_asks_too_much_is_ended_and_the_grader_is_told(monkeypatch: pytest.MonkeyPatch, cap: str, value: int) -> None:
    monkeypatch.setattr(relay, cap, value)

    async def scene(stage: Stage, judging: "asyncio.Task[Verdict]") -> None:
        stage.grader.say(Ask(serial=1, request=b"judge"))
        await stage.learner.hear()
        for number in (1, 2):
            stage.learner.say(Ask(serial=number, request=b"q"))
            await stage.grader.hear()
            stage.grader.say(Answer(serial=number, reply=b"r?"))
            assert await stage.learner.hear() == Answer(serial=number, reply=b"r?")
        stage.learner.say(Ask(serial=3, request=b"q"))
        await stage.grader.hear()
        stage.grader.say(Answer(serial=3, reply=b"r?"))
        assert await stage.grader.hear() == Answer(serial=1, reply=None, gone=Outcome.OUTPUT_LIMIT)
        await stage.finish(judging)

    play(scene)


def test_a_grader_that_says_nothing_fails_and_time_in_which_it_waits_does_not_count() -> None:
    async def scene(stage: Stage, judging: "asyncio.Task[Verdict]") -> None:
        stage.grader.say(Ask(serial=1, request=b"q"))
        await stage.learner.hear()
        await asyncio.sleep(0.2)
        stage.learner.say(Answer(serial=1, reply=b"r"))
        assert await stage.grader.hear() == Answer(serial=1, reply=b"r")
        with pytest.raises(GraderFailed, match="deadline"):
            await judging

    play(scene, msgspec.structs.replace(CAPS, seconds=0.1))


def test_a_grader_that_says_too_much_fails() -> None:
    async def scene(stage: Stage, judging: "asyncio.Task[Verdict]") -> None:
        stage.grader.say(Checked(CheckResult(id="x" * 64, passed=True)))
        with pytest.raises(GraderFailed, match="too much"):
            await judging

    play(scene, msgspec.structs.replace(CAPS, frame_bytes=64))


def test_a_pause_holds_both_and_no_time_passes_until_they_go_on() -> None:
    async def scene(stage: Stage, judging: "asyncio.Task[Verdict]") -> None:
        stage.relay.pause()
        assert stage.grader.child.signals[-1] == stage.learner.child.signals[-1] == signal.SIGSTOP
        await asyncio.sleep(0.3)  # the grader's time would be over
        assert not judging.done()
        stage.relay.resume()
        assert stage.grader.child.signals[-2:] == stage.learner.child.signals[-2:] == [signal.SIGSTOP, signal.SIGCONT]
        with pytest.raises(GraderFailed, match="deadline"):
            await judging

    play(scene, msgspec.structs.replace(CAPS, seconds=0.2))


def test_a_child_that_stood_still_when_its_run_was_over_goes_on() -> None:
    async def scene(stage: Stage, judging: "asyncio.Task[Verdict]") -> None:
        assert stage.learner.child.signals == [signal.SIGCONT]
        await stage.finish(judging)

    play(scene)


def test_a_pause_holds_a_fresh_child_too() -> None:
    async def scene(stage: Stage, judging: "asyncio.Task[Verdict]") -> None:
        stage.grader.say(Ask(serial=1, request=b"q", fresh=True))
        await stage.fresh.hear()
        stage.relay.pause()
        assert stage.fresh.child.signals[-1] == signal.SIGSTOP
        stage.fresh.say(Begun(), Over(ending="finished"))  # it was under way
        await stage.fresh.hear()
        stage.relay.resume()
        assert signal.SIGCONT in stage.fresh.child.signals
        stage.fresh.say(Answer(serial=1, reply=b"r"))
        assert await stage.grader.hear() == Answer(serial=1, reply=b"r")
        await stage.finish(judging)

    play(scene)


def test_it_is_stopped_whether_it_has_begun_or_not() -> None:
    async def scene(stage: Stage, judging: "asyncio.Task[Verdict]") -> None:
        stage.relay.stop()
        with pytest.raises(RelayStopped):
            await judging

    play(scene)

    async def before() -> None:
        stage = Stage()
        stage.relay.stop()
        with pytest.raises(RelayStopped):
            await stage.judge()

    asyncio.run(before())


def test_a_run_that_was_stopped_before_it_began_is_not_passed() -> None:
    async def scenario() -> tuple[object, list[RunEvent]]:
        told: list[RunEvent] = []
        grading = GradingSequel(GradeOrder(run=ORDER, exercise=Rubric()), cast(RunChildren, Children()), told.append)
        grading.cut(Cut.STOPPED)
        result = RunResult(id="r1", outcome=Outcome.STOPPED, timing=Timing(queued_ms=0, run_ms=0, total_ms=0))
        return await grading.follow(result, None), told

    last, told = asyncio.run(scenario())
    assert isinstance(last, Graded)
    assert not last.verdict.passed
    assert [event.check for event in told if isinstance(event, CheckDone)] == last.verdict.checks
