"""Runs of which a client is told more than their result: what a submission came to, and what a prediction was worth."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager

import msgspec

from app.grading.submission_answer import CheckAnswer
from app.protocol.grading import CheckResult, Verdict
from app.protocol.run import Lang
from app.runner.client import decode
from app.runner.event_bytes import EventBytes
from app.web.answer import encoder
from app.web.held_results import ResultHold
from app.web.run_service import AcceptedRun, FollowedRun

PIECE_BYTES = 65_536
COPIES = 2  # of a result: its own event, and within the answer
checks = msgspec.json.Decoder(CheckResult)
verdicts = msgspec.json.Decoder(Verdict)


class GradedRun:
    """A submission's run: its events, each visible check as it is decided, and at last the `submission`.

    `tell` puts a check into words, None for one that is hidden; `decide` makes the answer of the verdict and the JSON of the result, once.
    """

    answers_with: str = "submission"

    def __init__(
        self,
        run: AcceptedRun,
        hold: ResultHold,
        tell: Callable[[CheckResult], CheckAnswer | None],
        decide: Callable[[Verdict, bytes], Awaitable[bytes]],
    ) -> None:
        self.id, self.lang, self.fail = run.id, run.lang, run.fail
        self._run, self._hold, self._tell, self._decide = run, hold, tell, decide

    async def __aiter__(self) -> AsyncIterator[EventBytes]:
        result = b""
        async for event in self._run:
            if event.name == "result":
                result = await event.whole()
                self._hold.hold(COPIES * len(result))
                yield make_event("result", result)
            elif event.name == "check":
                with failing(self._run):
                    told = self._tell(decode(await event.whole(), checks))
                if told is not None:
                    yield make_event("check", encoder.encode(told))
            elif event.name == "verdict":
                with failing(self._run):
                    answer = await self._decide(decode(await event.whole(), verdicts), result)
                yield make_event("submission", answer)
            else:
                yield event


class PredictedRun:
    """The run that answers a prediction: its events, and at last the `prediction`, which `decide` makes of the JSON of the result."""

    answers_with: str = "prediction"

    def __init__(self, run: FollowedRun, hold: ResultHold, decide: Callable[[bytes], bytes]) -> None:
        self.id, self.lang, self.fail = run.id, run.lang, run.fail
        self._run, self._hold, self._decide = run, hold, decide

    async def __aiter__(self) -> AsyncIterator[EventBytes]:
        async for event in self._run:
            if event.name != "result":
                yield event
                continue
            result = await event.whole()
            self._hold.hold(COPIES * len(result))
            yield make_event("result", result)
            with failing(self._run):
                answer = self._decide(result)
            yield make_event("prediction", answer)


class RepeatedAnswer:
    """The answer of a submission that was graded before; its only event."""

    answers_with: str = "submission"

    def __init__(self, run_id: str, lang: Lang, hold: ResultHold, data: bytes) -> None:
        self.id, self.lang = run_id, lang
        self._hold, self._data = hold, data

    async def __aiter__(self) -> AsyncIterator[EventBytes]:
        self._hold.hold(len(self._data))
        yield make_event("submission", self._data)

    def fail(self) -> None:
        """The run was over long ago."""


def make_event(name: str, data: bytes) -> EventBytes:
    """An event that was made here, in pieces like one of the runner's."""

    async def pieces() -> AsyncGenerator[bytes, None]:
        for at in range(0, len(data), PIECE_BYTES):
            yield data[at : at + PIECE_BYTES]

    return EventBytes(name, None, pieces())


@contextmanager
def failing(run: FollowedRun) -> Iterator[None]:
    """An exception in here is a fault of ours, through which the run ends as failed."""
    try:
        yield
    except Exception:
        run.fail()
        raise
