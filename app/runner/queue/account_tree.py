"""The accounts of addresses, and at each address those of its learners.

Addresses take turns, and at each address its learners do (hierarchical fair queueing, Bennett and Zhang 1996), so many cookies at one
address get no more than one.
"""

from collections import OrderedDict
from enum import Enum, auto

from app.protocol.owner import Owner
from app.runner.queue.accounts import Accounts

_REMEMBERED_ADDRESSES = 300


class Standing(Enum):
    """What is known of who wants a place."""

    IN_CREDIT = auto()  # used little lately, for something short
    UNKNOWN = auto()  # ran nothing yet, or nothing long
    HEAVY = auto()  # its last run was long


class AccountTree:
    """Virtual times of owners."""

    def __init__(self, quantum_seconds: float) -> None:
        self._quantum_seconds = quantum_seconds
        self._addresses = Accounts(quantum_seconds)
        self._learners: dict[str, Accounts] = {}  # by address
        self._silent: OrderedDict[str, None] = OrderedDict()  # addresses with nothing in the queue, the longest first

    def __getitem__(self, owner: Owner) -> tuple[float, float]:
        """The times of its address and of its learner: the lowest pair goes first."""
        return self._addresses[owner.address], self._learners[owner.address][owner.learner]

    def address_time(self, address: str) -> float:
        """The time of an address that is open."""
        return self._addresses[address]

    def learner_time(self, owner: Owner) -> float:
        """The time of its learner, which is compared with those of others at the address."""
        return self._learners[owner.address][owner.learner]

    @property
    def credit_limit(self) -> float:
        """Where the time of an address is not below it, nobody there is in credit."""
        return self._addresses.floor + self._quantum_seconds

    def lead_seconds(self, owner: Owner, over: Owner) -> float:
        """How far `owner` is ahead: its address if they have two, else its learner."""
        (address, learner), (other_address, other_learner) = self[owner], self[over]
        return learner - other_learner if owner.address == over.address else address - other_address

    def in_credit(self, owner: Owner) -> bool:
        """Its learner used little lately for something short, and its address not much more than others."""
        return self.learner_standing(owner) is Standing.IN_CREDIT and self._addresses[owner.address] < self.credit_limit

    def learner_standing(self, owner: Owner) -> Standing:
        """That of its learner, whatever the address used. While it is open, only what its learner does changes it."""
        learners = self._learners[owner.address]
        if learners.in_credit(owner.learner):
            return Standing.IN_CREDIT
        return Standing.HEAVY if learners.is_heavy(owner.learner) else Standing.UNKNOWN

    def open(self, owner: Owner, now: float) -> None:
        if owner.address not in self._addresses:
            self._addresses.open(owner.address, now)
            self._silent.pop(owner.address, None)
        self._learners.setdefault(owner.address, Accounts(self._quantum_seconds)).open(owner.learner, now)

    def note(self, owner: Owner, is_short: bool, now: float) -> None:
        """A run of it is over."""
        self._learners[owner.address].note(owner.learner, is_short, now)

    def charge(self, owner: Owner, seconds: float) -> None:
        self._addresses.charge(owner.address, seconds)
        if owner.address in self._learners:
            self._learners[owner.address].charge(owner.learner, seconds)

    def close(self, owner: Owner, now: float) -> None:
        learners = self._learners[owner.address]
        learners.close(owner.learner, now)
        if not learners:
            self._addresses.close(owner.address, now)
            self._silent[owner.address] = None
            if len(self._silent) > _REMEMBERED_ADDRESSES:
                del self._learners[self._silent.popitem(last=False)[0]]
