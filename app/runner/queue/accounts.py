"""How far ahead of its fair share each learner is: the virtual times by which the queue orders them.

A learner's virtual time grows with the time that its runs hold places, and the lowest goes first: start-time fair queueing (Goyal, Vin
and Cheng 1997, after Demers, Keshav and Shenker 1989) with the clock of Linux's fair scheduler, the lowest time of all who want a place.
Who comes back from thinking has repaid a part of what was used, and whose runs were short is in credit.
"""

from collections import OrderedDict

_REPAID_PER_SECOND = 0.5  # of thinking: whoever thinks twice as long as they compute counts as light
_LONGEST_DEBT_SECONDS = 10.0
_CREDIT_QUANTA = 2
_REMEMBERED = 1000  # learners that have nothing in the queue


class Accounts:
    """Virtual times in seconds. An account is opened while its learner has runs in the queue, and remembered for a while after."""

    def __init__(self, quantum_seconds: float) -> None:
        self._quantum_seconds = quantum_seconds
        self._open: dict[str, float] = {}
        self._closed: OrderedDict[str, tuple[float, float]] = OrderedDict()  # the time it stood at, and when it was closed
        self._floor = 0.0

    def __getitem__(self, learner: str) -> float:
        return self._open[learner]

    def in_credit(self, learner: str) -> bool:
        """It used little lately: less than anybody who wants a place now."""
        return self._open[learner] < self._floor

    def open(self, learner: str, now: float) -> None:
        """It wants a place from `now` on. One that is unknown stands where the lowest does, and behind one that is in credit."""
        time = self._floor
        if learner in self._closed:
            stood_at, since = self._closed.pop(learner)
            repaid = stood_at - (now - since) * _REPAID_PER_SECOND
            time = min(max(repaid, self._floor - _CREDIT_QUANTA * self._quantum_seconds), self._floor + _LONGEST_DEBT_SECONDS)
        self._open[learner] = time

    def charge(self, learner: str, seconds: float) -> None:
        self._open[learner] += seconds
        self._floor = max(self._floor, min(self._open.values()))

    def close(self, learner: str, now: float) -> None:
        """It has nothing in the queue any more."""
        self._closed[learner] = (self._open.pop(learner), now)
        while len(self._closed) > _REMEMBERED:
            self._closed.popitem(last=False)
