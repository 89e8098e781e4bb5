"""The learner and the address to whom a run, and the memory for it, are charged."""

from typing import NamedTuple


class Owner(NamedTuple):
    """A learner at an address.

    One cookie at two addresses is two owners: joining them would be pointless, as a second cookie costs nothing.
    """

    address: str
    learner: str


NOBODY = Owner("", "")
