"""Which orders of runs are refused because they come too fast."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from app.settings import Settings
from app.web.guards.buckets import REMEMBERED
from app.web.guards.principal import Principal
from app.web.guards.rates import Rates, TooOften
from tests.web.conftest import MakeApp, client_of
from tests.web.fake_runner import FakeRunner

HERE = "203.0.113.9"
SMALL = "100"


def learner(number: int, address: str = HERE) -> Principal:
    return Principal(learner=f"learner-{number}", address=address)


class Class:
    """Counts who is admitted and who is refused, and why."""

    def __init__(self, **settings: Any) -> None:
        self.rates = Rates(Settings(**settings))
        self.admitted = 0
        self.refused: list[TooOften] = []

    def order(self, principal: Principal, now: float, content_length: str = SMALL) -> None:
        self._ask(self.rates.admit, principal, content_length, now)

    def save(self, principal: Principal, now: float) -> None:
        self._ask(self.rates.admit_saving, principal, SMALL, now)

    def trace(self, principal: Principal, now: float) -> None:
        self._ask(lambda principal, _, now: self.rates.admit_trace(principal, now), principal, "0", now)

    def _ask(self, admit: Callable[[Principal, str, float], None], principal: Principal, content_length: str, now: float) -> None:
        try:
            admit(principal, content_length, now)
        except TooOften as error:
            self.refused.append(error)
        else:
            self.admitted += 1


@pytest.mark.parametrize("learners", [40, 300])
def test_a_class_that_presses_run_in_the_same_second_is_never_refused(learners: int) -> None:
    course = Class()
    for second in (0.0, 3.0, 6.0):
        for number in range(learners):
            course.order(learner(number), second + number / learners)
    assert course.refused == []


def test_a_learner_who_runs_all_cells_of_a_lesson_at_once_is_not_refused() -> None:
    course = Class()
    for now in (0.0, 3.0, 6.0):
        for _ in range(12):
            course.order(learner(1), now)
    assert course.refused == []


def test_a_learner_at_a_persons_pace_is_not_refused_because_others_use_up_the_rate_of_the_address() -> None:
    flood, course = Class(), Class()
    course.rates = flood.rates
    for tenth in range(1200):  # two minutes
        now = tenth / 10
        for number in range(40):
            flood.order(learner(number), now)
        if tenth % 20 == 0:
            course.order(learner(1000), now)
    assert {error.reason for error in flood.refused} == {"learner", "address"}
    assert course.refused == []


def test_a_class_that_runs_all_cells_at_once_is_not_refused() -> None:
    course = Class()
    for number in range(40):
        for _ in range(12):
            course.order(learner(number), number / 40)
    assert course.refused == []


def test_hundreds_a_second_of_one_learner_are_refused() -> None:
    course = Class()
    for number in range(4590):
        course.order(learner(1), number / 459)
    assert 30 <= course.admitted <= 85
    assert {(error.reason, error.retry_after_seconds) for error in course.refused} == {("learner", 1)}


def test_what_is_refused_counts_for_nothing() -> None:
    course = Class(rate_per_learner=1, burst_per_learner=1)
    for now in (0.0, 0.1, 0.9, 1.0):
        course.order(learner(1), now)
    assert (course.admitted, len(course.refused)) == (2, 2)


def test_one_learner_who_is_refused_leaves_room_for_the_others_at_the_address() -> None:
    course = Class(rate_per_address=10, burst_per_address=100)
    for number in range(1000):
        course.order(learner(0), number / 1000)
    course.refused.clear()
    for number in range(1, 60):
        course.order(learner(number), 1.0)
    assert course.refused == []


def test_forty_newcomers_in_ten_seconds_are_all_admitted_and_four_hundred_are_not() -> None:
    few, many = Class(), Class()
    for number in range(40):
        few.order(learner(number), number / 4)
    for number in range(400):
        many.order(learner(number), number / 40)
    assert few.refused == []
    assert {error.reason for error in many.refused} == {"newcomers"}
    assert len({error.retry_after_seconds for error in many.refused}) > 3  # they do not come back together


def test_who_has_run_something_is_no_newcomer() -> None:
    course = Class(newcomer_burst_per_address=1, newcomer_rate_per_address=0.01)
    for now in (0.0, 1.0):
        course.order(learner(1), now)
    course.order(learner(2), 2.0)
    assert (course.admitted, len(course.refused)) == (2, 1)


def test_addresses_do_not_share() -> None:
    course = Class(burst_per_address=1, rate_per_address=0.01, newcomer_burst_per_address=1, newcomer_rate_per_address=0.01)
    course.order(learner(1, "a"), 0.0)
    course.order(learner(2, "b"), 0.0)
    course.order(learner(3, "a"), 0.0)
    assert [error.reason for error in course.refused] == ["newcomers"]


@pytest.mark.parametrize("length", ["1048576", "", "many", "9" * 400, "²"])
def test_a_large_body_counts_as_several_runs(length: str) -> None:
    course = Class()
    for _ in range(3):
        course.order(learner(1), 0.0, length)
    assert course.admitted == 1


def test_a_body_that_costs_more_than_a_bucket_holds_can_be_sent_all_the_same() -> None:
    course = Class(burst_per_learner=2)
    course.order(learner(1), 0.0, "1048576")
    assert course.admitted == 1


def test_what_is_remembered_is_bounded() -> None:
    course = Class(newcomer_burst_per_address=1_000_000)
    for number in range(REMEMBERED + 100):
        course.order(learner(number, f"address-{number}"), float(number))
    rates = course.rates
    assert len(rates._known) == len(rates._learners._full_at) == len(rates._addresses._full_at) == REMEMBERED


def test_a_school_that_types_and_brings_over_what_was_done_meanwhile_is_not_refused_and_uses_up_no_runs() -> None:
    course = Class()
    for second in range(10):
        for number in range(300):
            course.save(learner(number), second + number / 300)
    for number in range(40):
        for _ in range(60):
            course.save(learner(number), 20.0)
    course.order(learner(1), 20.0)
    assert course.refused == []


def test_hundreds_of_savings_a_second_are_refused_of_one_learner_and_thousands_of_an_address() -> None:
    one, many = Class(), Class()
    for number in range(1000):
        one.save(learner(1), number / 500)
    for number in range(20_000):
        many.save(learner(number % 1000), number / 10_000)
    assert {error.reason for error in one.refused} == {"saving"}
    assert {error.reason for error in many.refused} == {"savings"}


@pytest.mark.anyio
@pytest.mark.parametrize(("lang", "ascii_only"), [("en", True), ("zh-Hans", False)])
async def test_a_refusal_says_when_to_come_back_and_no_body_is_read(
    make_app: MakeApp, runner: FakeRunner, lang: str, ascii_only: bool
) -> None:
    async with client_of(make_app(rate_per_learner=0.01, burst_per_learner=1)) as client:
        assert (await client.post("/api/runs", json={"source": "x"})).status_code == 200
        headers = {"content-type": "application/json", "accept-language": lang}
        request = client.build_request("POST", "/api/runs", content=b"{", headers=headers)
        request.stream = Unread()
        answer = await client.send(request)
    assert answer.status_code == 429
    error = answer.json()["error"]
    assert (error["code"], error["reason"]) == ("too_often", "learner")
    assert answer.headers["retry-after"] == str(error["retry_after_seconds"]) == "100"
    assert error["message"].isascii() is ascii_only
    assert len(runner.orders) == 1


class Unread(httpx.AsyncByteStream):
    async def __aiter__(self) -> Any:
        raise AssertionError("the body is read")
        yield b""


def test_a_thousand_requests_for_traces_are_refused_and_use_up_nothing_of_others_or_of_runs() -> None:
    course = Class(burst_per_learner=1, burst_per_address=1)
    for number in range(1000):
        course.trace(learner(1), number / 1000)
    assert 10 <= course.admitted <= 20
    assert {(error.reason, error.retry_after_seconds) for error in course.refused} == {("learner", 1)}
    course.refused.clear()
    course.trace(learner(2), 1.0)
    course.order(learner(1), 1.0)
    course.trace(learner(1), 3.0)
    assert course.refused == []


def test_a_learner_whose_every_run_is_traced_is_never_refused() -> None:
    course = Class()
    for second in (0.0, 3.0, 6.0):
        for number in range(40):
            course.order(learner(number), second + number / 40)
            course.trace(learner(number), second + number / 40)
    assert course.refused == []
