"""The learner's child of a submission. Its program has finished, and it answers questions about what the program defined.

A fresh child, in which the program is executed again, may replace it. Nothing that a child answers is trusted. The run's deadline limits
the seconds of all these children together.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from app.protocol.channel import Down, Up
from app.protocol.event import Stderr, Stdout
from app.protocol.outcome import Outcome
from app.protocol.run import RunOrder
from app.runner.conversation.child_handle import ChildHandle
from app.runner.conversation.conversation import Caps, Conversation, Cut, Item
from app.runner.runs import ending as endings
from app.runner.runs.attempt import Attempt
from app.runner.runs.run_children import RunChildren

_OUTCOMES = {
    Cut.DEADLINE: Outcome.TIMED_OUT,
    Cut.TOO_MUCH: Outcome.OUTPUT_LIMIT,
    Cut.SCRATCH: Outcome.FORBIDDEN,
    Cut.MALFORMED: Outcome.CRASHED,
    Cut.STOPPED: Outcome.STOPPED,
}
FRAME_BYTES = 4 * 1024 * 1024  # the largest frame of either child
ALL_BYTES, FRAMES = 64 * 1024 * 1024, 20_000


class Learner:
    """The child that is questioned.

    `on_frame`: called with each frame that it sends. `on_gone`: called when it has ended. `on_fault`: called with an exception that is our
    fault. `outcome`: how the child ended; None while it is alive.
    """

    def __init__(
        self,
        order: RunOrder,
        children: RunChildren,
        on_frame: Callable[[Up], None],
        on_gone: Callable[[], None],
        on_fault: Callable[[BaseException], None],
    ) -> None:
        self.outcome: Outcome | None = None
        self._order = order
        self._children = children
        self._on_frame = on_frame
        self._on_gone = on_gone
        self._on_fault = on_fault
        self._seconds_left = order.limits.deadline_seconds
        self._conversation: Conversation | None = None
        self._work: asyncio.Task[None] | None = None

    def take(self, child: ChildHandle) -> None:
        """Question this child from now on."""
        caps = Caps(
            seconds=self._seconds_left,
            frame_bytes=FRAME_BYTES,
            all_bytes=ALL_BYTES,
            frames=FRAMES,
            output_bytes=self._order.limits.output_bytes,
        )
        self.outcome = None
        child.resume()  # it may have been paused after its program had ended
        self._conversation = Conversation(child, caps, self._on_item)
        self._children.attach(self._conversation)

    def send(self, frame: Down) -> None:
        if self._conversation:
            self._conversation.send(frame)

    def rest(self) -> None:
        """Stop the child's clock until the next `send`."""
        if self._conversation:
            self._conversation.rest()

    def lose(self, outcome: Outcome) -> None:
        """End the child, and record `outcome` as the reason."""
        self._discard()
        self.outcome = outcome
        self._on_gone()

    def replace(self, on_done: Callable[[], None]) -> None:
        """End the child and execute the program in a fresh one. Then `on_done` is called, or `on_gone` if the program did not finish."""
        if self._work:
            self._work.cancel()
        self._discard()
        self.outcome = None
        self._start(self._begin_anew(on_done))

    async def close(self) -> None:
        """End the conversation. The child stays with whoever took it from the pool."""
        if self._conversation:
            self._conversation.close()
        if self._work:
            self._work.cancel()
            await asyncio.wait([self._work])

    def _discard(self) -> None:
        if self._conversation:
            self._seconds_left -= self._conversation.seconds
            self._conversation.close()
            self._children.give_back(self._conversation.child)
            self._conversation = None

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._work = asyncio.create_task(work)
        self._work.add_done_callback(self._report_fault)

    def _report_fault(self, work: "asyncio.Task[None]") -> None:
        if not work.cancelled() and (fault := work.exception()):
            self._on_fault(fault)

    async def _begin_anew(self, on_done: Callable[[], None]) -> None:
        if self._seconds_left <= 0:
            self.lose(Outcome.TIMED_OUT)
            return
        child = await self._children.take()
        limits = msgspec.structs.replace(self._order.limits, deadline_seconds=self._seconds_left)
        attempt = Attempt(msgspec.structs.replace(self._order, limits=limits), child, None, serving=True)
        self._conversation = attempt.conversation
        self._children.attach(self._conversation)
        async for _ in attempt.events():
            pass
        if attempt.ending.outcome is Outcome.FINISHED:
            self._seconds_left -= self._conversation.seconds
            self.take(child)
            on_done()
        else:
            self.lose(attempt.ending.outcome)

    def _on_item(self, item: Item | Cut) -> None:
        match item:
            case Stdout() | Stderr():
                pass
            case Cut.GONE:
                self._start(self._find_outcome())
            case Cut():
                self.lose(_OUTCOMES[item])
            case _:
                self._on_frame(item)

    async def _find_outcome(self) -> None:
        """Find out how the child ended, because it has closed its channel."""
        conversation, order = self._conversation, self._order
        assert conversation
        end = await conversation.child.wait_for_exit()
        words, _ = conversation.last_words()
        ending = endings.from_exit(end, words, conversation.child.budget.cpu_seconds, None, order.limits, order.lang) if end else None
        self.lose(ending.outcome if ending else Outcome.CRASHED)
