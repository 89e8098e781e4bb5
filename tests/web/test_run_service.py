"""What the subscribers of a run service get when a run ends."""

import pytest
from msgspec import Raw

from app.lessons.course.catalogue import Catalogue
from app.protocol.event import Failed, Queued, RunEvent, Started, Stderr, Stdout
from app.protocol.outcome import Outcome
from app.runner.client import QueueFull, RunBroken, RunLost
from app.settings import Settings
from app.web.guards.principal import Principal
from app.web.runs.run_request import RunRequest
from app.web.runs.run_service import RunEnded, RunService
from tests.web.fake_runner import RUN_ID, FakeRunner, make_events, make_result

pytestmark = pytest.mark.anyio
LEARNER = Principal(learner="ada", address="203.0.113.9")
NOBODY = Principal(learner=None, address="203.0.113.9")
REQUEST = RunRequest(source="x", lesson="one/first", cell="use")


class Staged:
    """A run service, and the ends of its runs."""

    def __init__(self, settings: Settings, catalogue: Catalogue, runner: FakeRunner) -> None:
        self.ended: list[RunEnded] = []
        self.runner = runner
        self.runs = RunService(runner, catalogue, settings, (self.fail, self.ended.append))

    def fail(self, ended: RunEnded) -> None:
        raise ValueError("a subscriber's own fault")

    async def run(self, principal: Principal = LEARNER) -> list[tuple[str, bytes]]:
        """Execute a run, and return the kinds and bytes of its events."""
        async with self.runs.start(REQUEST, principal, "en") as run:
            return [(frame.kind, await frame.whole()) async for frame in run]


@pytest.fixture
def staged(settings: Settings, catalogue: Catalogue, runner: FakeRunner) -> Staged:
    return Staged(settings, catalogue, runner)


async def test_the_end_of_a_run_is_published_once_with_who_ran_what_and_how_it_ended(staged: Staged) -> None:
    staged.runner.plays = [[Started(RUN_ID), make_result(outcome=Outcome.RAISED)]]
    await staged.run()
    (ended,) = staged.ended
    assert (ended.principal, ended.lesson, ended.run_id, ended.ending) == (LEARNER, "one/first", RUN_ID, Outcome.RAISED)
    assert ended.order.program.source.cell == "use"


async def test_a_failing_subscriber_disturbs_neither_the_run_nor_the_next_subscriber(staged: Staged) -> None:
    assert (await staged.run())[-1][0] == "result"
    assert staged.ended


@pytest.mark.parametrize("left_after", ["started", "result"])
async def test_a_run_that_is_left_before_its_result_was_taken_is_abandoned(staged: Staged, left_after: str) -> None:
    async with staged.runs.start(REQUEST, LEARNER, "en") as run:
        async for event in run:
            if event.kind == left_after:
                break
    assert [ended.ending for ended in staged.ended] == ["abandoned"]
    assert staged.runner.left.is_set()


@pytest.mark.parametrize(
    ("last", "error"),
    [([], RunLost), ([RunLost("gone")], RunLost), ([Failed("lost", "")], RunLost), ([Failed("internal", "")], RunBroken)],
)
async def test_a_run_that_fails_through_our_fault_is_told_as_failed(
    staged: Staged, last: list[RunEvent | Exception], error: type[Exception]
) -> None:
    staged.runner.plays = [[Started(RUN_ID), *last]]
    with pytest.raises(error):
        await staged.run()
    assert [ended.ending for ended in staged.ended] == ["failed"]


async def test_what_was_not_accepted_has_no_end(staged: Staged) -> None:
    staged.runner.plays = [QueueFull("learner", 1)]
    with pytest.raises(QueueFull):
        await staged.run()
    assert staged.ended == []


@pytest.mark.parametrize(("principal", "counts_as"), [(LEARNER, "ada"), (NOBODY, "203.0.113.9")])
async def test_a_run_counts_for_its_learner_or_else_for_its_address(staged: Staged, principal: Principal, counts_as: str) -> None:
    await staged.run(principal)
    order = staged.runner.orders[0]
    assert (order.learner, order.address) == (counts_as, "203.0.113.9")
    assert staged.ended[0].principal == principal


async def test_nothing_follows_the_result(staged: Staged) -> None:
    staged.runner.plays = [[*make_events(), Stdout("late"), Stderr("late"), Queued(RUN_ID, 1)]]
    assert [name for name, _ in await staged.run()] == ["queued", "started", "stdout", "result"]


async def test_records_are_passed_on_as_they_came(staged: Staged) -> None:
    record = Raw(b'{"kind":"of tomorrow"}')
    staged.runner.plays = [[record, make_result()]]
    assert (await staged.run())[0] == ("record", b'{"kind":"of tomorrow"}')
