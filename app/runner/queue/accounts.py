"""Virtual times: the seconds that each learner, and each address, has used. The queue orders them by these.

A virtual time grows by the time for which the holder's runs hold places, and the lowest goes first. This is start-time fair queueing
(Goyal, Vin and Cheng 1997, after Demers, Keshav and Shenker 1989); the clock, as in Linux's fair scheduler, is the lowest time of all who
want a place. For example, Ann has used 3 s and Bob 1 s: Bob's runs go first until he has used 3 s, too. If Bob comes when Ann is at 100 s,
he starts at 100 and not at 0, so that his absence earns him nothing.

A holder who wants no place for a while repays a part of what they have used. A learner's account also records how long the last runs were.
All learners of whom this is not known share one time, `unknown_time`: so a hundred new cookies get together what one learner gets.
"""

import itertools
from bisect import bisect_left, insort
from collections import OrderedDict
from enum import IntEnum, auto

_REPAID_PER_SECOND = 0.5  # somebody who thinks for twice as long as they compute owes nothing
_LONGEST_DEBT_SECONDS = 10.0
_LONG_SECONDS = 30.0  # how long a long run counts: each new try of a cookie with an endless loop costs a child
_SHORT_RUNS = 6  # the most short runs that are counted
_LONG_RUN = 2  # one long run cancels so many short runs
_REMEMBERED = 1000  # the most closed accounts that are stored


class QueuePriority(IntEnum):
    """What is known of the length of a learner's runs. The lowest goes first."""

    SHORT = auto()  # the learner's last runs were short
    UNKNOWN = auto()  # the learner has had no run, or none for a while
    LONG = auto()  # the learner's last run was long


class Account:
    """What one holder has used. While it is open, only `Accounts.record_run` changes its priority.

    A holder that became UNKNOWN later has a higher `number`.
    """

    def __init__(self, time: float, number: int) -> None:
        self.time = time
        self.number = number
        self.priority = QueuePriority.UNKNOWN
        self.short_runs = 0  # how many of the last runs were short, at most `_SHORT_RUNS`
        self.last_run_at = 0.0
        self.closed_at = 0.0


class Accounts:
    """Accounts by holder. An account is open while its holder has runs in the queue, and remembered for some time after that.

    `floor`: the lowest time of all open accounts; it never falls. `unknown_time`: the time that all UNKNOWN holders share.
    """

    def __init__(self) -> None:
        self._open: dict[str, Account] = {}
        self._closed: OrderedDict[str, Account] = OrderedDict()
        self._times: list[float] = []  # the times of the open accounts, sorted
        self._numbers = itertools.count()
        self.floor = 0.0
        self.unknown_time = 0.0

    def __len__(self) -> int:
        """Return how many accounts are open."""
        return len(self._open)

    def __getitem__(self, holder: str) -> Account:
        return self._open[holder]

    def __contains__(self, holder: str) -> bool:
        return holder in self._open

    def open(self, holder: str, now: float) -> None:
        """Open the account of a holder who wants a place from `now` on. A holder without an account starts at the floor."""
        account = self._closed.pop(holder, None)
        if account is None:
            account = Account(self.floor, next(self._numbers))
        else:
            account.time = self._limit(account.time - (now - account.closed_at) * _REPAID_PER_SECOND)
            if account.priority is QueuePriority.LONG and now >= account.last_run_at + _LONG_SECONDS:
                account.priority, account.number = QueuePriority.UNKNOWN, next(self._numbers)
        self.unknown_time = self._limit(self.unknown_time)
        self._open[holder] = account
        insort(self._times, account.time)

    def record_run(self, holder: str, is_short: bool, now: float) -> None:
        """Record that a run has ended, and whether it was short.

        After several short runs a single long one does not make the holder LONG: on a busy machine any program may take long once.
        """
        account = self._open[holder]
        account.short_runs = min(account.short_runs + 1, _SHORT_RUNS) if is_short else max(account.short_runs - _LONG_RUN, 0)
        account.priority = QueuePriority.SHORT if account.short_runs else QueuePriority.LONG
        account.last_run_at = now

    def charge(self, holder: str, seconds: float, is_short: bool = True) -> None:
        """Add `seconds` to the holder's time; does nothing if the account is not remembered.

        `is_short`: whether the charged run has been short until now. Only then is the time that unknown holders share charged, too.
        """
        if account := self._open.get(holder):
            del self._times[bisect_left(self._times, account.time)]
            account.time += seconds
            insort(self._times, account.time)
            self.floor = max(self.floor, self._times[0])
            if account.priority is QueuePriority.UNKNOWN and is_short:
                self.unknown_time += seconds
        elif account := self._closed.get(holder):
            account.time += seconds

    def close(self, holder: str, now: float) -> None:
        """Close the account of a holder who has nothing in the queue any more."""
        account = self._open.pop(holder)
        del self._times[bisect_left(self._times, account.time)]
        account.closed_at = now
        self._closed[holder] = account
        while len(self._closed) > _REMEMBERED:
            self._closed.popitem(last=False)

    def _limit(self, time: float) -> float:
        """Return the time with which a returning holder starts.

        It is `time`, but at least the floor, and at most the floor plus the longest debt.
        """
        return min(max(time, self.floor), self.floor + _LONGEST_DEBT_SECONDS)
