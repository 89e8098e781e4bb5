"""How far ahead of its fair share each holder of an account is: virtual times, by which the queue orders learners, and addresses.

A virtual time grows with the time that runs hold places, and the lowest goes first: start-time fair queueing (Goyal, Vin and Cheng 1997,
after Demers, Keshav and Shenker 1989) with the clock of Linux's fair scheduler, the lowest time of all who want a place. Who comes back
from thinking has repaid a part of what was used, and whose last runs were short may be in credit.
"""

from bisect import bisect_left, insort
from collections import OrderedDict

_REPAID_PER_SECOND = 0.5  # of thinking: whoever thinks twice as long as they compute counts as light
_LONGEST_DEBT_SECONDS = 10.0
_HEAVY_SECONDS = 10.0  # longer than a page waits before it sends a run again that was ended on trial
_CREDIT_QUANTA = 2
_SHORT_RUNS, _LONG_RUN = 3, 2  # so many short runs count; a long one takes away what so many earned
_REMEMBERED = 1000  # of one kind that have nothing in the queue: learners of an address


class _Account:
    def __init__(self, time: float) -> None:
        self.time = time
        self.short_runs = 0  # lately, and counted as far as it matters
        self.is_heavy = False  # its last run was long
        self.noted_at = 0.0
        self.closed_at = 0.0


class Accounts:
    """Virtual times in seconds. An account is opened while its holder has runs in the queue, and remembered for a while after.

    `floor`: the lowest of those that are open, or were.
    """

    def __init__(self, quantum_seconds: float) -> None:
        self._credit_seconds = _CREDIT_QUANTA * quantum_seconds
        self._open: dict[str, _Account] = {}
        self._closed: OrderedDict[str, _Account] = OrderedDict()
        self._times: list[float] = []  # of those that are open, sorted
        self.floor = 0.0

    def __len__(self) -> int:
        """How many are open."""
        return len(self._open)

    def __getitem__(self, holder: str) -> float:
        return self._open[holder].time

    def __contains__(self, holder: str) -> bool:
        return holder in self._open

    def in_credit(self, holder: str) -> bool:
        """Its last runs were short, and it used less than anybody who wants a place now. Who only waited has earned nothing."""
        account = self._open[holder]
        return account.short_runs > 0 and account.time < self.floor

    def is_heavy(self, holder: str) -> bool:
        """Its last run was long, and not long ago when it came."""
        return self._open[holder].is_heavy

    def open(self, holder: str, now: float) -> None:
        """It wants a place from `now` on. One that is unknown stands where the lowest does, and behind one that is in credit."""
        account = self._closed.pop(holder, None)
        if account is None:
            account = _Account(self.floor)
        else:
            lowest = self.floor - (self._credit_seconds if account.short_runs else 0.0)
            repaid = account.time - (now - account.closed_at) * _REPAID_PER_SECOND
            account.is_heavy = account.is_heavy and now < account.noted_at + _HEAVY_SECONDS
            account.time = min(max(repaid, lowest), self.floor + _LONGEST_DEBT_SECONDS)
        self._open[holder] = account
        insort(self._times, account.time)

    def note(self, holder: str, is_short: bool, now: float) -> None:
        """A run of it is over. On a busy machine one in a row of short runs may take long."""
        account = self._open[holder]
        account.short_runs = min(account.short_runs + 1, _SHORT_RUNS) if is_short else max(account.short_runs - _LONG_RUN, 0)
        account.is_heavy = not is_short and not account.short_runs
        account.noted_at = now

    def charge(self, holder: str, seconds: float) -> None:
        """It used so much, whether or not it has something in the queue still. One that is not remembered is not charged."""
        if account := self._open.get(holder):
            del self._times[bisect_left(self._times, account.time)]
            account.time += seconds
            insort(self._times, account.time)
            self.floor = max(self.floor, self._times[0])
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
