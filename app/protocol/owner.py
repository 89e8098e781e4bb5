"""Whom a run, and the memory that is used for it, counts for."""

from typing import NamedTuple


class Owner(NamedTuple):
    """A learner at an address.

    One cookie at two addresses is two owners: joining them would be pointless, as a second cookie costs nothing.
    """

    address: str
    learner: str


NOBODY = Owner("", "")
