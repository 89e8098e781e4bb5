"""How far ahead of its fair share each holder of an account is: virtual times, by which the queue orders learners, and addresses.

A virtual time grows with the time that runs hold places, and the lowest goes first: start-time fair queueing (Goyal, Vin and Cheng 1997,
after Demers, Keshav and Shenker 1989) with the clock of Linux's fair scheduler, the lowest time of all who want a place. Who comes back
from thinking has repaid a part of what was used. Of a learner is known besides how long the last runs were; all of whom that is not known
count as one, so that many new cookies get no more than one learner whose runs are short.
"""

import itertools
from bisect import bisect_left, insort
from collections import OrderedDict
from enum import IntEnum, auto

_REPAID_PER_SECOND = 0.5  # of thinking: whoever thinks twice as long as they compute counts as light
_LONGEST_DEBT_SECONDS = 10.0
_LONG_SECONDS = 30.0  # so cookies whose loops were ended or refused come again on trial, and each trial costs a child
_SHORT_RUNS, _LONG_RUN = 6, 2  # so many short runs count; a long one takes away what so many earned
_REMEMBERED = 1000  # of one kind that have nothing in the queue: learners of an address


class QueuePriority(IntEnum):
    """What is known of a learner's runs."""

    SHORT = auto()  # they were short lately
    UNKNOWN = auto()  # there was none yet, or none lately
    LONG = auto()  # the last one was long


class Account:
    """`number`: of those of whose runs nothing is known, who came later has a higher one. While it is open, only what its holder does
    changes its standing.
    """

    def __init__(self, time: float, number: int) -> None:
        self.time = time
        self.number = number
        self.standing = QueuePriority.UNKNOWN
        self.short_runs = 0  # lately, and counted as far as it matters
        self.noted_at = 0.0
        self.closed_at = 0.0


class Accounts:
    """Virtual times in seconds. An account is opened while its holder has runs in the queue, and remembered for a while after.

    `floor`: the lowest of those that are open, or were. `unknown_time`: of all together of whose runs nothing is known.
    """

    def __init__(self) -> None:
        self._open: dict[str, Account] = {}
        self._closed: OrderedDict[str, Account] = OrderedDict()
        self._times: list[float] = []  # of those that are open, sorted
        self._numbers = itertools.count()
        self.floor = 0.0
        self.unknown_time = 0.0

    def __len__(self) -> int:
        """How many are open."""
        return len(self._open)

    def __getitem__(self, holder: str) -> Account:
        return self._open[holder]

    def __contains__(self, holder: str) -> bool:
        return holder in self._open

    def open(self, holder: str, now: float) -> None:
        """It wants a place from `now` on. One that is unknown stands where the lowest does."""
        account = self._closed.pop(holder, None)
        if account is None:
            account = Account(self.floor, next(self._numbers))
        else:
            account.time = self._limit(account.time - (now - account.closed_at) * _REPAID_PER_SECOND)
            if account.standing is QueuePriority.LONG and now >= account.noted_at + _LONG_SECONDS:
                account.standing, account.number = QueuePriority.UNKNOWN, next(self._numbers)
        self.unknown_time = self._limit(self.unknown_time)
        self._open[holder] = account
        insort(self._times, account.time)

    def note(self, holder: str, is_short: bool, now: float) -> None:
        """A run of it is over. On a busy machine one in a row of short runs may take long."""
        account = self._open[holder]
        account.short_runs = min(account.short_runs + 1, _SHORT_RUNS) if is_short else max(account.short_runs - _LONG_RUN, 0)
        account.standing = QueuePriority.SHORT if account.short_runs else QueuePriority.LONG
        account.noted_at = now

    def charge(self, holder: str, seconds: float, is_short: bool = True) -> None:
        """It used so much, whether or not it has something in the queue still, for a run that is short until now.

        One that is not remembered is not charged.
        """
        if account := self._open.get(holder):
            del self._times[bisect_left(self._times, account.time)]
            account.time += seconds
            insort(self._times, account.time)
            self.floor = max(self.floor, self._times[0])
            if account.standing is QueuePriority.UNKNOWN and is_short:
                self.unknown_time += seconds
        elif account := self._closed.get(holder):
            account.time += seconds

    def close(self, holder: str, now: float) -> None:
        """It has nothing in the queue any more."""
        account = self._open.pop(holder)
        del self._times[bisect_left(self._times, account.time)]
        account.closed_at = now
        self._closed[holder] = account
        while len(self._closed) > _REMEMBERED:
            self._closed.popitem(last=False)

    def _limit(self, time: float) -> float:
        """A time of somebody who comes: no less than the lowest, and no debt is endless."""
        return min(max(time, self.floor), self.floor + _LONGEST_DEBT_SECONDS)
