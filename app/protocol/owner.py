"""Whom a run, and what is held for one, counts for."""

from typing import NamedTuple


class Owner(NamedTuple):
    """A learner at an address. One cookie at two addresses is two owners: a second cookie would cost nothing."""

    address: str
    learner: str


NOBODY = Owner("", "")
