"""The Idempotency-Keys of submissions that are being graded. Answers are in the store; only what is under way is here.

A key belongs to a learner and an exercise. Of several concurrent requests with the same key, one is graded and the others wait for its
answer. If it gets none, because its client left or by a fault of ours, the next request is graded.
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
    """The JSON of the answer, and the id of its run."""

    run_id: str
    data: bytes


class AskedOtherwise(Exception):
    """The key is being used for another source or seed."""


@dataclass(eq=False)
class Claim:
    """What was asked for under a key. `answer` is None until there is one."""

    asked: str
    answer: FirstAnswer | None = None
    settled: asyncio.Event = field(default_factory=asyncio.Event)

    def settle(self, answer: FirstAnswer) -> None:
        """Give the answer to the requests that wait for it."""
        self.answer = answer
        self.settled.set()


class ClaimedKeys:
    """The claims of one web process."""

    def __init__(self) -> None:
        self._claims: dict[Key, Claim] = {}

    @asynccontextmanager
    async def claim(self, key: Key, asked: str) -> AsyncIterator[Claim]:
        """Yield a claim that has the answer, or a new claim, which the caller settles in this context.

        `asked` identifies what the key is used for. Raises AskedOtherwise.
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
