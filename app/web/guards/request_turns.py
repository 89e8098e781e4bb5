"""Requests begin in turns, before anything of them is parsed: one that waits costs a few bytes, and nothing once its client has left.

The address that has used least of this process's time goes first, and at an address the learner who has: start-time fair queueing (Goyal,
Vin and Cheng 1997) at two levels, as the runner's queue has it for programs. Each learner also has a pace, so that one who asks hundreds
of times a second leaves the processor to the programs of others. Nobody is refused: who asks faster waits.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Generator
from typing import Any, Protocol

from starlette.types import ASGIApp, Receive, Scope, Send

from app.protocol.owner import Owner
from app.web.guards.buckets import Buckets

REMEMBERED = 20_000  # addresses, and learners of one: some 100 bytes each
REMEMBERED_ADDRESSES = 1000  # whose learners are told apart


class Request(Protocol):
    """What waits for its turn."""

    def begin(self) -> None:
        """It has its turn: parse it, and answer."""


class UsedTimes:
    """Seconds that each address, or each learner of one, has used.

    Nobody counts as having used less than whoever had the last turn: waiting earns nothing, and who is new has no advantage.
    """

    def __init__(self) -> None:
        self._seconds: OrderedDict[str, float] = OrderedDict()
        self._floor = 0.0

    def __getitem__(self, name: str) -> float:
        return max(self._seconds.get(name, 0.0), self._floor)

    def charge(self, name: str, seconds: float) -> None:
        self._seconds[name] = self[name] + seconds
        self._seconds.move_to_end(name)
        if len(self._seconds) > REMEMBERED:
            self._seconds.popitem(last=False)

    def give_turn(self, name: str) -> None:
        self._floor = self[name]


class RequestTurns:
    """Gives turns, one in a pass of the event loop, so that what has begun and what the runner sends go on in between.

    `learners` and `newcomers` are the paces of a learner, and of all at one address who have no cookie.
    """

    def __init__(self, learners: Buckets, newcomers: Buckets) -> None:
        self._learners, self._newcomers = learners, newcomers
        self._used_by_addresses = UsedTimes()
        self._used_at: OrderedDict[str, UsedTimes] = OrderedDict()  # by the learners of an address
        self._waiting: dict[str, dict[str, dict[Request, None]]] = {}  # by address and learner, in the order of their coming
        self._paced: dict[Owner, dict[Request, None]] = {}  # of learners who asked faster than their pace
        self._giving = False

    def wait(self, request: Request, owner: Owner) -> None:
        """`begin` of the request is called when it is its turn: now, if nothing has begun in this pass of the event loop."""
        if owner in self._paced:
            self._paced[owner][request] = None
            return
        self._waiting.setdefault(owner.address, {}).setdefault(owner.learner, {})[request] = None
        if not self._giving:
            self._give()

    def leave(self, request: Request, owner: Owner) -> None:
        """Its client is gone; one that does not wait is no error."""
        if owner in self._paced:
            self._paced[owner].pop(request, None)
        elif owner.learner in self._waiting.get(owner.address, ()):
            self._remove(request, owner)

    def charge(self, owner: Owner, seconds: float) -> None:
        """This process worked so long for it."""
        self._used_by_addresses.charge(owner.address, seconds)
        self._used_by_learners(owner.address).charge(owner.learner, seconds)

    def _give(self) -> None:
        """A turn to the next, and another in the next pass of the event loop while somebody waits."""
        request = self._take_next()
        self._giving = request is not None
        if request is not None:
            asyncio.get_running_loop().call_soon(self._give)
            request.begin()

    def _take_next(self) -> Request | None:
        while self._waiting:
            address = min(self._waiting, key=self._used_by_addresses.__getitem__)
            used = self._used_by_learners(address)
            owner, now = Owner(address, min(self._waiting[address], key=used.__getitem__)), time.monotonic()
            pace = self._newcomers if owner.learner == address else self._learners
            if pause_seconds := pace.wait_seconds(owner.learner, 1, now):
                self._set_aside(owner, pause_seconds)
                continue
            pace.take(owner.learner, 1, now)
            self._used_by_addresses.give_turn(address)
            used.give_turn(owner.learner)
            request = next(iter(self._waiting[address][owner.learner]))
            self._remove(request, owner)
            return request
        return None

    def _used_by_learners(self, address: str) -> UsedTimes:
        used = self._used_at.setdefault(address, UsedTimes())
        self._used_at.move_to_end(address)
        if len(self._used_at) > REMEMBERED_ADDRESSES:
            self._used_at.popitem(last=False)
        return used

    def _set_aside(self, owner: Owner, pause_seconds: float) -> None:
        """Whoever asked faster than the pace waits until the next request is due."""
        self._paced[owner] = self._waiting[owner.address].pop(owner.learner)
        if not self._waiting[owner.address]:
            del self._waiting[owner.address]
        asyncio.get_running_loop().call_later(pause_seconds, self._bring_back, owner)

    def _bring_back(self, owner: Owner) -> None:
        """All at once: however many wait, it costs as much as for one."""
        if requests := self._paced.pop(owner):
            self._waiting.setdefault(owner.address, {})[owner.learner] = requests
            if not self._giving:
                self._give()

    def _remove(self, request: Request, owner: Owner) -> None:
        learners = self._waiting[owner.address]
        learners[owner.learner].pop(request, None)
        if not learners[owner.learner]:
            del learners[owner.learner]
        if not learners:
            del self._waiting[owner.address]


class ChargedApp:
    """An app whose steps, from one `await` to the next, are each told to `charge` in seconds."""

    def __init__(self, app: ASGIApp, charge: Callable[[float], None]) -> None:
        self._app, self._charge = app, charge

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await Charged(self._app(scope, receive, send), self._charge)


class Charged:
    """An awaitable that does what `work` does and tells `charge` how long each step took."""

    def __init__(self, work: Any, charge: Callable[[float], None]) -> None:
        self._work, self._charge = work, charge

    def __await__(self) -> Generator[Any, Any, Any]:
        steps = self._work.__await__()
        thrown: BaseException | None = None
        while True:
            began = time.perf_counter()
            try:
                awaited = next(steps) if thrown is None else steps.throw(thrown)
            except StopIteration as end:
                return end.value
            finally:
                self._charge(time.perf_counter() - began)
            try:
                yield awaited
                thrown = None
            except BaseException as error:  # a cancellation: the work is told of it
                thrown = error
