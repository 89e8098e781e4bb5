"""The order in which requests begin. A request waits for its turn before it is parsed, so that a waiting request costs only a few bytes.

The next turn goes to the network address that has used least of this process's time. Among the learners of that address, it goes to the one
who has used least. This is start-time fair queueing (Goyal, Vin and Cheng 1997) on two levels, as in the runner's queue. Each learner also
has a pace. Requests that come faster are not refused: they wait, and leave the processor to the programs of others.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Generator
from types import coroutine
from typing import Any, Protocol, TypeVar

from app.protocol.owner import Owner
from app.web.guards.buckets import Buckets

T = TypeVar("T")
REMEMBERED = 20_000  # addresses, and learners of each address: some 100 bytes each
REMEMBERED_ADDRESSES = 1000  # addresses for which the time of each learner is known


class Request(Protocol):
    """A request that waits for its turn."""

    def begin(self) -> None:
        """Parse the request and answer it. Called when it is the request's turn."""


class UsedTimes:
    """How many seconds of this process each name has used. A name is an address, or a learner of one address.

    A new or idle name has no advantage: it counts as having used at least what the last served name had used at its turn.
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

    def record_turn(self, name: str) -> None:
        self._floor = self[name]


class RequestTurns:
    """Lets one request begin in each pass of the event loop. Requests that have begun continue between two passes.

    `learners` limits the pace of each learner, and `newcomers` the common pace of all clients without a cookie at one address.
    """

    def __init__(self, learners: Buckets, newcomers: Buckets) -> None:
        self._learners, self._newcomers = learners, newcomers
        self._used_by_addresses = UsedTimes()
        self._used_at: OrderedDict[str, UsedTimes] = OrderedDict()  # by address, the times of its learners
        self._waiting: dict[str, dict[str, dict[Request, None]]] = {}  # by address and learner, in order of arrival
        self._paced: dict[Owner, dict[Request, None]] = {}  # of owners who are faster than their pace
        self._scheduled = False

    def wait(self, request: Request, owner: Owner) -> None:
        """Call `request.begin` when it is the request's turn: at once if no request has begun in this pass of the event loop."""
        if owner in self._paced:
            self._paced[owner][request] = None
            return
        self._waiting.setdefault(owner.address, {}).setdefault(owner.learner, {})[request] = None
        if not self._scheduled:
            self._begin_next()

    def leave(self, request: Request, owner: Owner) -> None:
        """Remove a request whose client has disconnected, if it waits."""
        if owner in self._paced:
            self._paced[owner].pop(request, None)
        elif owner.learner in self._waiting.get(owner.address, ()):
            self._remove(request, owner)

    def charge(self, owner: Owner, seconds: float) -> None:
        """Record for how many seconds this process worked for `owner`."""
        self._used_by_addresses.charge(owner.address, seconds)
        self._used_by_learners(owner.address).charge(owner.learner, seconds)

    def _begin_next(self) -> None:
        """Let the next request begin, and repeat this in the next pass of the event loop, until no request waits."""
        request = self._take_next()
        self._scheduled = request is not None
        if request is not None:
            asyncio.get_running_loop().call_soon(self._begin_next)
            request.begin()

    def _take_next(self) -> Request | None:
        while self._waiting:
            address = min(self._waiting, key=self._used_by_addresses.__getitem__)
            used = self._used_by_learners(address)
            owner, now = Owner(address, min(self._waiting[address], key=used.__getitem__)), time.monotonic()
            pace = self._newcomers if owner.learner == address else self._learners
            if pause_seconds := pace.wait_seconds(owner.learner, 1, now):
                self._pause(owner, pause_seconds)
                continue
            pace.take(owner.learner, 1, now)
            self._used_by_addresses.record_turn(address)
            used.record_turn(owner.learner)
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

    def _pause(self, owner: Owner, pause_seconds: float) -> None:
        """Hold all requests of `owner` back for `pause_seconds`, because `owner` sends them faster than the pace."""
        self._paced[owner] = self._waiting[owner.address].pop(owner.learner)
        if not self._waiting[owner.address]:
            del self._waiting[owner.address]
        asyncio.get_running_loop().call_later(pause_seconds, self._resume, owner)

    def _resume(self, owner: Owner) -> None:
        """End the pause of `owner`, so that its requests wait for turns again.

        All of them are moved together, which costs as little as moving one.
        """
        if requests := self._paced.pop(owner):
            self._waiting.setdefault(owner.address, {})[owner.learner] = requests
            if not self._scheduled:
                self._begin_next()

    def _remove(self, request: Request, owner: Owner) -> None:
        learners = self._waiting[owner.address]
        learners[owner.learner].pop(request, None)
        if not learners[owner.learner]:
            del learners[owner.learner]
        if not learners:
            del self._waiting[owner.address]


@coroutine
def charge_steps(work: Coroutine[Any, Any, T], charge: Callable[[float], None]) -> Generator[Any, Any, T]:
    """Await `work`. After each of its steps, from one `await` to the next, call `charge` with the seconds that the step took."""
    steps = work.__await__()
    thrown: BaseException | None = None
    while True:
        began = time.perf_counter()
        try:
            awaited = next(steps) if thrown is None else steps.throw(thrown)
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            charge(time.perf_counter() - began)
        try:
            yield awaited
            thrown = None
        except BaseException as error:  # such as a cancellation; it is raised in `work`
            thrown = error
