"""Which orders of recent runs are in memory, and to whom they belong."""

from collections.abc import Callable

import pytest

from app.protocol.run import Program, RunOrder, Source
from app.runner.runs.recent_orders import LARGEST_BYTES, ORDER_BYTES, ORDERS_OF_LEARNER, OVERALL_BYTES, RecentOrders, measure

LARGE = LARGEST_BYTES
MOST_LARGE = OVERALL_BYTES // LARGE


def order_by(learner: str, text: str = "x", *replayed: str) -> RunOrder:
    program = Program(source=Source(text=text), replay=[Source(text=each) for each in replayed])
    return RunOrder(program=program, learner=learner)


def large_order(learner: str) -> RunOrder:
    """Return an order that is so large that `MOST_LARGE` of them reach the bound."""
    text = "x" * (LARGE - measure(order_by(learner, "")))
    return order_by(learner, text)


def found(orders: RecentOrders, learner: str, run_ids: list[str]) -> list[str]:
    return [run_id for run_id in run_ids if orders.take(run_id, learner)]


def test_an_order_can_be_taken_once() -> None:
    orders, order = RecentOrders(), order_by("ann")
    orders.add("r1", order)
    assert orders.take("r1", "ann") is order
    assert orders.take("r1", "ann") is None
    assert len(orders) == 0


def test_an_order_of_another_learner_is_not_there_and_stays_theirs() -> None:
    orders = RecentOrders()
    orders.add("r1", order_by("ann"))
    assert orders.take("r1", "bob") is None
    assert orders.take("r1", "ann") is not None


def test_of_one_learner_the_last_eight_are_there() -> None:
    orders = RecentOrders()
    ids = [f"r{number}" for number in range(ORDERS_OF_LEARNER + 3)]
    orders.add("of bob", order_by("bob"))
    for run_id in ids:
        orders.add(run_id, order_by("ann"))
    assert len(orders) == ORDERS_OF_LEARNER + 1
    assert found(orders, "ann", ids) == ids[3:]
    assert orders.take("of bob", "bob")


@pytest.mark.parametrize("add", [large_order, lambda learner: order_by(learner, "", "x" * (LARGE - measure(order_by(learner, "", ""))))])
def test_beyond_the_bytes_for_all_the_oldest_are_dropped(add: Callable[[str], RunOrder]) -> None:
    orders = RecentOrders()
    for number in range(MOST_LARGE + 2):
        orders.add(f"r{number}", add(f"learner-{number}"))
    assert len(orders) == MOST_LARGE
    assert [orders.take(f"r{number}", f"learner-{number}") is None for number in range(4)] == [True, True, False, False]


def test_small_orders_are_bounded_in_number_too() -> None:
    orders, most = RecentOrders(), OVERALL_BYTES // ORDER_BYTES
    for number in range(most + 10):
        orders.add(f"r{number}", order_by(f"learner-{number}", ""))
    assert len(orders) < most


def test_characters_outside_of_latin_count_as_what_they_take() -> None:
    assert measure(order_by("ann", "梯" * 1000)) - measure(order_by("ann", "x" * 1000)) > 900


def test_a_very_large_order_is_not_stored() -> None:
    orders, large = RecentOrders(), large_order("ann")
    orders.add("r1", large)
    orders.add("r2", order_by("ann", large.program.source.text + "x"))
    assert found(orders, "ann", ["r1", "r2"]) == ["r1"]


def test_what_was_taken_leaves_room() -> None:
    orders = RecentOrders()
    for number in range(MOST_LARGE):
        orders.add(f"r{number}", large_order(f"learner-{number}"))
    orders.take("r5", "learner-5")
    orders.add("last", large_order("ann"))
    assert orders.take("r0", "learner-0")


def test_an_order_that_is_added_again_is_there_once() -> None:
    orders = RecentOrders()
    orders.add("r1", order_by("ann"))
    orders.add("r1", order_by("bob"))
    assert len(orders) == 1
    assert orders.take("r1", "ann") is None
    assert orders.take("r1", "bob")


def test_a_learner_who_is_forgotten_has_none() -> None:
    orders = RecentOrders()
    for learner in ("ann", "bob"):
        for number in range(3):
            orders.add(f"{learner}-{number}", order_by(learner))
    orders.forget("ann")
    orders.forget("nobody")
    assert len(orders) == 3
    assert orders.take("ann-0", "ann") is None
    assert orders.take("bob-0", "bob")
