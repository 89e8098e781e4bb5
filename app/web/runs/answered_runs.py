"""Runs of which a client is told more than their result: what a submission came to, and what a prediction was worth."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager

import msgspec

from app.grading.submission_answer import CheckAnswer
from app.protocol.event_frame import EventFrame, frame_json
from app.protocol.grading import CheckResult, Verdict
from app.protocol.run import Lang
from app.runner.client import decode
from app.web.http.answer import encoder
from app.web.runs.retained_results import ResultHold
from app.web.runs.run_service import AcceptedRun, FollowedRun

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

    async def __aiter__(self) -> AsyncIterator[EventFrame]:
        result = b""
        async for frame in self._run:
            if frame.kind == "result":
                result = await frame.whole()
                self._hold.hold(COPIES * len(result))
                yield frame_json("result", result)
            elif frame.kind == "check":
                with failing(self._run):
                    told = self._tell(decode(await frame.whole(), checks))
                if told is not None:
                    yield frame_json("check", encoder.encode(told))
            elif frame.kind == "verdict":
                with failing(self._run):
                    answer = await self._decide(decode(await frame.whole(), verdicts), result)
                yield frame_json("submission", answer)
            else:
                yield frame


class PredictedRun:
    """The run that answers a prediction: its events, and at last the `prediction`, which `decide` makes of the JSON of the result."""

    answers_with: str = "prediction"

    def __init__(self, run: FollowedRun, hold: ResultHold, decide: Callable[[bytes], bytes]) -> None:
        self.id, self.lang, self.fail = run.id, run.lang, run.fail
        self._run, self._hold, self._decide = run, hold, decide

    async def __aiter__(self) -> AsyncIterator[EventFrame]:
        async for frame in self._run:
            if frame.kind != "result":
                yield frame
                continue
            result = await frame.whole()
            self._hold.hold(COPIES * len(result))
            yield frame_json("result", result)
            with failing(self._run):
                answer = self._decide(result)
            yield frame_json("prediction", answer)


class RepeatedAnswer:
    """The answer of a submission that was graded before; its only event."""

    answers_with: str = "submission"

    def __init__(self, run_id: str, lang: Lang, hold: ResultHold, data: bytes) -> None:
        self.id, self.lang = run_id, lang
        self._hold, self._data = hold, data

    async def __aiter__(self) -> AsyncIterator[EventFrame]:
        self._hold.hold(len(self._data))
        yield frame_json("submission", self._data)

    def fail(self) -> None:
        """The run was over long ago."""


@contextmanager
def failing(run: FollowedRun) -> Iterator[None]:
    """An exception in here is a fault of ours, through which the run ends as failed."""
    try:
        yield
    except Exception:
        run.fail()
        raise
