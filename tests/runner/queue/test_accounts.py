"""Virtual times: what learners used, what they repay, and where newcomers stand."""

import pytest

from app.runner.queue.accounts import Accounts, QueuePriority


def accounts_at(floor: float) -> Accounts:
    """Return accounts in which one owner, who has an open run, has used `floor` seconds."""
    accounts = Accounts()
    accounts.open("old", now=0.0)
    accounts.charge("old", floor)
    return accounts


def come_back(accounts: Accounts, learner: str, used: float, thought: float, is_short: bool = True) -> None:
    """Open the account of a learner who has used `used` seconds and then ordered nothing for `thought` seconds."""
    accounts.open(learner, now=0.0)
    accounts.charge(learner, used)
    accounts.record_run(learner, is_short, 0.0)
    accounts.close(learner, now=0.0)
    accounts.open(learner, now=thought)


def test_an_unknown_learner_stands_where_the_lowest_does() -> None:
    accounts = accounts_at(7.0)
    accounts.open("new", now=0.0)
    assert accounts["new"].time == 7.0
    assert accounts["new"].priority is QueuePriority.UNKNOWN


def test_whose_runs_are_short_is_known_for_it_however_many_they_are() -> None:
    accounts = accounts_at(7.0)
    for _ in range(12):
        come_back(accounts, "quick", used=0.5, thought=0.0)
        accounts.close("quick", now=0.0)
    accounts.open("quick", now=0.0)
    assert (accounts["quick"].priority, accounts["quick"].time) == (QueuePriority.SHORT, 13.0)


def test_all_of_whom_nothing_is_known_count_as_one() -> None:
    accounts = accounts_at(7.0)
    for cookie in ("first", "second"):
        accounts.open(cookie, now=0.0)
        accounts.charge(cookie, 1.0)
    assert accounts.unknown_time == 9.0
    accounts.charge("second", 1.0, is_short=False)
    accounts.record_run("first", is_short=True, now=0.0)
    accounts.charge("first", 1.0)
    assert accounts.unknown_time == 9.0


def test_whose_last_run_was_long_is_known_for_it_for_half_a_minute() -> None:
    accounts = accounts_at(7.0)
    come_back(accounts, "long", used=0.1, thought=29.0, is_short=False)
    assert accounts["long"].priority is QueuePriority.LONG
    accounts.close("long", now=29.0)
    accounts.open("long", now=30.0)
    assert accounts["long"].priority is QueuePriority.UNKNOWN


def test_one_long_run_after_several_short_ones_is_forgiven() -> None:
    accounts = accounts_at(7.0)
    accounts.open("quick", now=0.0)
    for is_short in (True, True, True, False):
        accounts.record_run("quick", is_short, 0.0)
    assert accounts["quick"].priority is QueuePriority.SHORT
    accounts.record_run("quick", False, 0.0)
    assert accounts["quick"].priority is QueuePriority.LONG


def test_who_only_waited_has_earned_nothing() -> None:
    accounts = accounts_at(7.0)
    accounts.open("refused", now=0.0)
    accounts.close("refused", now=0.0)
    accounts.open("refused", now=100.0)
    assert (accounts["refused"].time, accounts["refused"].priority) == (7.0, QueuePriority.UNKNOWN)


@pytest.mark.parametrize(("used", "thought", "left"), [(3.0, 0.0, 3.0), (3.0, 4.0, 1.0), (3.0, 6.0, 0.0), (50.0, 0.0, 10.0)])
def test_thinking_repays_what_was_used_and_no_debt_is_endless(used: float, thought: float, left: float) -> None:
    accounts = accounts_at(7.0)
    come_back(accounts, "heavy", used, thought)
    assert accounts["heavy"].time == pytest.approx(7.0 + left)


def test_the_lowest_time_never_falls() -> None:
    accounts = accounts_at(7.0)
    come_back(accounts, "light", used=0.0, thought=9.0)
    accounts.charge("light", 0.0)
    accounts.open("new", now=9.0)
    assert accounts["new"].time == 7.0


def test_of_many_learners_only_the_last_are_remembered() -> None:
    accounts = accounts_at(0.0)
    for number in range(3000):
        accounts.open(str(number), now=0.0)
        accounts.charge(str(number), 1.0)
        accounts.close(str(number), now=0.0)
    accounts.open("0", now=0.0)
    accounts.open("2999", now=0.0)
    assert (accounts["0"].time, accounts["2999"].time) == (0.0, 1.0)
