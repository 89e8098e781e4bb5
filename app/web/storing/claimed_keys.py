"""Idempotency-Keys of submissions that are being graded. What was answered is in the store; here is only what is under way.

The key is a learner's own, for one exercise. Of several requests at once with one key, one is answered and the others wait for its answer;
if it comes to none, because its client left or through a fault of ours, the next of them takes its place.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Key:
    learner: str
    lesson: str
    exercise: str
    key: str


@dataclass(frozen=True)
class FirstAnswer:
    """The JSON that was answered, and the run that it is about."""

    run_id: str
    data: bytes


class AskedOtherwise(Exception):
    """The key is being used for something else."""


@dataclass(eq=False)
class Claim:
    """What is asked for under a key, from its first request on. `answer` is None until there is one."""

    asked: str
    answer: FirstAnswer | None = None
    settled: asyncio.Event = field(default_factory=asyncio.Event)

    def settle(self, answer: FirstAnswer) -> None:
        """Who waits has the answer at once."""
        self.answer = answer
        self.settled.set()


class ClaimedKeys:
    """The claims of one web process."""

    def __init__(self) -> None:
        self._claims: dict[Key, Claim] = {}

    @asynccontextmanager
    async def claim(self, key: Key, asked: str) -> AsyncIterator[Claim]:
        """A claim with the answer, or else the caller's own, to be settled before the context is left. `asked`: what for.

        Raises AskedOtherwise.
        """
        while (claim := self._claims.get(key)) is not None:
            if claim.asked != asked:
                raise AskedOtherwise
            await claim.settled.wait()
            if claim.answer is not None:
                yield claim
                return
        claim = self._claims[key] = Claim(asked)
        try:
            yield claim
        finally:
            del self._claims[key]
            claim.settled.set()
