"""Whom a run counts for, and the memory that is used for it."""

from typing import NamedTuple


class Owner(NamedTuple):
    """A learner at an address. One cookie at two addresses is two owners: a second cookie would cost nothing."""

    address: str
    learner: str


NOBODY = Owner("", "")
