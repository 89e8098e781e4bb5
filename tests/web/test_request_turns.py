"""The order in which requests begin, and what a waiting request costs."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from ipaddress import ip_network
from time import perf_counter

import pytest
from starlette.types import Receive, Scope, Send

from app.protocol.owner import Owner
from app.web.guards.buckets import Buckets, Rate
from app.web.guards.connections import Connections
from app.web.guards.request_owners import RequestOwners
from app.web.guards.request_turns import RequestTurns, charge_steps
from tests.web.connection_site import CAPS, GET, Site, ask, connect
from tests.web.serving import serving

pytestmark = pytest.mark.anyio
ANY = Rate(per_second=1e6, at_once=1e6)


@dataclass(eq=False)
class Asked:
    """A request that records when it begins, and then uses some seconds."""

    turns: RequestTurns
    owner: Owner
    begun: list[Owner] = field(default_factory=list)
    seconds: float = 1.0

    def begin(self) -> None:
        self.begun.append(self.owner)
        self.turns.charge(self.owner, self.seconds)

    def wait(self) -> "Asked":
        self.turns.wait(self, self.owner)
        return self


def compute(seconds: float) -> None:
    until = perf_counter() + seconds
    while perf_counter() < until:
        pass


async def let_all_begin(passes: int = 30) -> None:
    for _ in range(passes):
        await asyncio.sleep(0)


def make_turns(learners: Rate = ANY, newcomers: Rate = ANY) -> RequestTurns:
    return RequestTurns(Buckets(learners), Buckets(newcomers))


async def test_addresses_take_turns_however_many_requests_one_of_them_has() -> None:
    turns, begun = make_turns(), list[Owner]()
    many, one = Owner("many", "a"), Owner("one", "b")
    for _ in range(10):
        Asked(turns, many, begun).wait()
    Asked(turns, one, begun).wait()
    Asked(turns, one, begun).wait()
    await let_all_begin()
    assert len(begun) == 12
    assert begun.index(one) == 1
    assert one in begun[2:4]


async def test_learners_of_an_address_take_turns_and_cookies_do_not_make_an_address_count_twice() -> None:
    turns, begun = make_turns(), list[Owner]()
    here, mate, elsewhere = [Owner("school", name) for name in "abcdefgh"], Owner("school", "mate"), Owner("home", "z")
    for owner in here * 2:
        Asked(turns, owner, begun).wait()
    for owner in (mate, elsewhere, mate, elsewhere):
        Asked(turns, owner, begun).wait()
    await let_all_begin()
    assert begun.index(elsewhere) <= 1
    assert mate in begun[: begun.index(here[0], 1) if here[0] in begun[1:] else None]


async def test_who_used_more_of_the_process_begins_later() -> None:
    turns, begun = make_turns(), list[Owner]()
    cheap, costly = Owner("cheap", "a"), Owner("costly", "b")
    for _ in range(20):
        Asked(turns, costly, begun, seconds=3.0).wait()
        Asked(turns, cheap, begun, seconds=1.0).wait()
    await let_all_begin(20)
    assert begun.count(cheap) >= 2 * begun.count(costly)


async def test_one_begins_in_a_pass_of_the_event_loop() -> None:
    turns, begun = make_turns(), list[Owner]()
    for _ in range(5):
        Asked(turns, Owner("a", "a"), begun).wait()
    assert len(begun) == 1
    await asyncio.sleep(0)
    assert len(begun) == 2


async def test_a_request_that_leaves_never_begins() -> None:
    turns, begun = make_turns(), list[Owner]()
    asked = [Asked(turns, Owner("a", "a"), begun).wait() for _ in range(5)]
    for one in asked[1:]:
        turns.leave(one, one.owner)
    turns.leave(asked[0], asked[0].owner)  # which has begun: no error
    await let_all_begin()
    assert len(begun) == 1
    assert not turns._waiting


async def test_who_asks_faster_than_the_pace_waits_and_nobody_else() -> None:
    turns, begun = make_turns(learners=Rate(per_second=20, at_once=2)), list[Owner]()
    fast, mate = Owner("school", "fast"), Owner("school", "mate")
    asked = [Asked(turns, fast, begun).wait() for _ in range(5)]
    await let_all_begin()
    assert begun == [fast, fast]
    Asked(turns, mate, begun).wait()
    turns.leave(asked[2], fast)
    await let_all_begin()
    assert begun == [fast, fast, mate]
    while len(begun) < 5:
        await asyncio.sleep(0.01)
    assert begun[3:] == [fast, fast]
    await let_all_begin()
    assert not turns._waiting and not turns._paced


async def test_each_step_is_charged_and_a_cancellation_reaches_the_work() -> None:
    charged: list[float] = []
    ended: list[str] = []

    async def work() -> str:
        try:
            compute(0.02)
            await asyncio.sleep(0.05)
            compute(0.02)
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise
        return "done"

    began = perf_counter()
    assert await charge_steps(work(), charged.append) == "done"
    assert 0.04 <= sum(charged) < perf_counter() - began - 0.04
    task = asyncio.create_task(_await(lambda: charge_steps(work(), charged.append)))
    await asyncio.sleep(0.03)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == ["cancelled"]


async def _await(make: Callable[[], Awaitable[str]]) -> str:
    return await make()


async def test_a_client_that_left_while_it_waited_costs_nothing() -> None:
    site = Site()
    connections = Connections(replace(CAPS, newcomers_pace=Rate(per_second=10, at_once=1)))
    async with serving(site.app, connections) as port:
        assert b"200" in await ask(await connect(port))
        for _ in range(5):
            _, writer = await connect(port)
            writer.write(GET)
            writer.close()
        assert b"200" in await ask(await connect(port))
    assert len(site.connections) == 2


async def test_requests_sent_without_waiting_for_answers_have_their_turns_too() -> None:
    site = Site()
    connections = Connections(replace(CAPS, newcomers_pace=Rate(per_second=20, at_once=1)))
    async with serving(site.app, connections) as port:
        began = perf_counter()
        streams = await connect(port)
        streams[1].write(GET * 3)
        for _ in range(3):
            assert b"200" in await ask(streams, b"")
        assert perf_counter() - began >= 0.09


async def test_the_owner_is_read_from_the_cookie_and_from_what_a_proxy_forwards() -> None:
    owners = RequestOwners((ip_network("10.0.0.0/8"),), {"signed.abc-_": "ann"}.get)
    cookie = b"GET / HTTP/1.1\r\nX-Forwarded-For: 198.51.100.7, 10.9.9.9\r\nCookie: a=b; learner=signed.abc-_\r\n\r\n"
    forged = b"GET / HTTP/1.1\r\ncookie: learner=forged\r\n\r\n"
    assert owners.owner_of("192.0.2.1", cookie) == Owner("192.0.2.1", "ann")
    assert owners.owner_of("192.0.2.1", forged) == Owner("192.0.2.1", "192.0.2.1")
    assert owners.owner_of("10.0.0.1", cookie) == Owner("198.51.100.7", "ann")
    assert owners.owner_of("10.0.0.1", forged) == Owner("10.0.0.1", "10.0.0.1")


async def test_what_an_app_does_counts_for_who_asked() -> None:
    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        compute(0.03)
        await Site().app(scope, receive, send)

    connections = Connections(CAPS)
    async with serving(slow, connections) as port:
        assert b"200" in await ask(await connect(port))
    assert connections.turns._used_by_addresses["127.0.0.1"] >= 0.03
