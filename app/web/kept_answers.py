"""Answers to submissions that are given again to who repeats a request with its Idempotency-Key: in memory, for a while, and bounded.

The key is a learner's own, for one exercise. Of several requests at once with one key, one is answered and the others wait for its answer;
if it comes to none, because its client left or through a fault of ours, the next of them takes its place.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True)
class Key:
    learner: str
    lesson: str
    exercise: str
    key: str


@dataclass(frozen=True)
class KeptAnswer:
    """The JSON that was answered, and the run that it is about."""

    run_id: str
    data: bytes


@dataclass(frozen=True, kw_only=True)
class KeptBounds:
    answers_per_learner: int = 50
    bytes_per_learner: int = 4 * MEBIBYTE
    bytes_overall: int = 64 * MEBIBYTE
    seconds: float = 3600.0


class AskedOtherwise(Exception):
    """The key was used for something else."""


@dataclass(eq=False)
class Claim:
    """What is asked for under a key, from its first request on. `answer` is None until there is one."""

    asked: str
    answer: KeptAnswer | None = None
    at: float = 0.0
    settled: asyncio.Event = field(default_factory=asyncio.Event)


class KeptAnswers:
    """Over a bound, a learner's oldest answer is forgotten, or overall the oldest."""

    def __init__(self, bounds: KeptBounds | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._bounds, self._clock = bounds or KeptBounds(), clock
        self._pending: dict[Key, Claim] = {}
        self._kept: OrderedDict[Key, Claim] = OrderedDict()  # oldest first
        self._of_learner: dict[str, OrderedDict[Key, int]] = {}  # the bytes of each
        self.total_bytes = 0

    @asynccontextmanager
    async def claim(self, key: Key, asked: str) -> AsyncIterator[Claim]:
        """A claim with the answer, or else the caller's own, to be kept with `keep` before the context is left. `asked`: what for.

        Raises AskedOtherwise.
        """
        self._forget_old()
        while (claim := self._kept.get(key) or self._pending.get(key)) is not None:
            if claim.asked != asked:
                raise AskedOtherwise
            await claim.settled.wait()
            if claim.answer is not None:
                yield claim
                return
        claim = self._pending[key] = Claim(asked)
        try:
            yield claim
        finally:
            if self._pending.get(key) is claim:
                del self._pending[key]
            claim.settled.set()

    def keep(self, key: Key, claim: Claim, answer: KeptAnswer) -> None:
        """The answer of a claim; who waits for it has it at once."""
        claim.answer, claim.at = answer, self._clock()
        self._pending.pop(key, None)
        self._kept[key] = claim
        self._of_learner.setdefault(key.learner, OrderedDict())[key] = len(answer.data)
        self.total_bytes += len(answer.data)
        claim.settled.set()
        self._forget_old()
        self._forget_beyond_bounds(key.learner)

    def _forget_old(self) -> None:
        while self._kept:
            key, claim = next(iter(self._kept.items()))
            if self._clock() - claim.at <= self._bounds.seconds:
                return
            self._forget(key)

    def _forget_beyond_bounds(self, learner: str) -> None:
        bounds = self._bounds
        while own := self._of_learner.get(learner):
            if len(own) <= bounds.answers_per_learner and sum(own.values()) <= bounds.bytes_per_learner:
                break
            self._forget(next(iter(own)))
        while self.total_bytes > bounds.bytes_overall:
            self._forget(next(iter(self._kept)))

    def _forget(self, key: Key) -> None:
        del self._kept[key]
        own = self._of_learner[key.learner]
        self.total_bytes -= own.pop(key)
        if not own:
            del self._of_learner[key.learner]
