"""Who could go on or begin: sorted as what decides it changes, so that a look at the first of them costs as much however many wait.

Flows that differ in nothing but their times and turns are a group. Of a group only the lowest can be next, or be owed a place that somebody
holds; so a look goes through the groups, of which there are few, and not through the learners.
"""

from bisect import bisect_left, insort
from collections.abc import Collection, Hashable, Iterator
from enum import Enum, auto
from typing import Any, NamedTuple

from app.protocol.owner import Owner
from app.runner.queue.account_tree import AccountTree
from app.runner.queue.accounts import QueuePriority
from app.runner.queue.flows import Flow, Flows
from app.runner.queue.memory_reservations import MemoryReservations
from app.runner.queue.places import Places
from app.runner.queue.ticket import Ticket


class _Kind(Enum):
    RESUME = auto()  # a paused run goes on
    BEGIN = auto()
    BEGIN_LATER = auto()  # a paused run of the same learner goes on before


class _Group(NamedTuple):
    """What flows have in common. `standing`: of the run; `is_small`: the address holds little memory."""

    kind: _Kind
    standing: QueuePriority
    memory_bytes: int = 0
    is_small: bool = False


class _SortedGroups:
    """Entries, which are tuples, sorted in each group. Those of a member are replaced together."""

    def __init__(self) -> None:
        self.groups: dict[_Group, list[Any]] = {}
        self._entries: dict[Hashable, list[tuple[_Group, Any]]] = {}

    def replace(self, member: Hashable, entries: list[tuple[_Group, Any]]) -> None:
        for group, entry in self._entries.pop(member, ()):
            of_group = self.groups[group]
            del of_group[bisect_left(of_group, entry)]
            if not of_group:
                del self.groups[group]
        for group, entry in entries:
            insort(self.groups.setdefault(group, []), entry)
        if entries:
            self._entries[member] = entries


class Candidates:
    """The flows with a run that can go on or begin, or waits for memory alone. It follows `changed` of the flows."""

    def __init__(self, flows: Flows, accounts: AccountTree, reservations: MemoryReservations, places: Places) -> None:
        self._flows = flows
        self._accounts = accounts
        self._reservations = reservations
        self._places = places
        self._learners: dict[str, _SortedGroups] = {}  # by address: (order in the group, turn, flow, its run)
        self._addresses = _SortedGroups()  # (order of the first learner's run, turn, flow)

    def find(self, addresses: Collection[str] = ()) -> list[Flow]:
        """Of those that can go on or begin now, in order: of each group the first at two addresses, and at each of `addresses`."""
        found = [entry for group, entries in self._parts() if self._may_go(group) for entry in entries]
        for address in addresses:
            found += [entry for group, entry in self._find_first(address) if self._may_go(group)]
        return [entry[-1] for entry in sorted(found)]

    def lack_memory(self) -> bool:
        """Whether somebody waits for memory alone."""
        return any(self._lacks_memory(group) for group, _ in self._parts())

    def lack_trials(self) -> bool:
        """Whether somebody waits for memory alone who could have that of a run on trial."""
        return any(self._lacks_memory(group) and (group.is_small or group.standing is not QueuePriority.LONG) for group, _ in self._parts())

    def _may_go(self, group: _Group) -> bool:
        return group.kind is _Kind.RESUME or (group.kind is _Kind.BEGIN and not self._lacks_memory(group))

    def _lacks_memory(self, group: _Group) -> bool:
        return group.kind is not _Kind.RESUME and not self._reservations.allow(group.memory_bytes, group.is_small, group.standing)

    def _parts(self) -> Iterator[tuple[_Group, list[Any]]]:
        """The first two entries of each group."""
        self._follow()
        return ((group, entries[:2]) for group, entries in self._addresses.groups.items())

    def _follow(self) -> None:
        """Sort in again what has changed: flows at their addresses, then these addresses."""
        for owner in self._flows.changed:
            self._learners.setdefault(owner.address, _SortedGroups()).replace(owner, list(self._enter(owner)))
        for address in {owner.address for owner in self._flows.changed}:
            self._addresses.replace(address, list(self._find_first(address)))
            if not self._learners[address].groups:
                del self._learners[address]
        self._flows.changed.clear()

    def _enter(self, owner: Owner) -> Iterator[tuple[_Group, tuple[Any, ...]]]:
        """A flow has an entry for what goes on, and one for what may begin."""
        if not (flow := self._flows.get(owner)):
            return
        if flow.paused:
            yield self._enter_run(flow, flow.paused[0], _Kind.RESUME)
        if (next_run := flow.next) and flow.begun < self._places.learner:
            yield self._enter_run(flow, next_run, _Kind.BEGIN_LATER if flow.paused else _Kind.BEGIN, next_run.memory_bytes)

    def _enter_run(self, flow: Flow, ticket: Ticket, kind: _Kind, memory_bytes: int = 0) -> tuple[_Group, tuple[Any, ...]]:
        standing, order = self._accounts.standing(ticket), self._accounts.order_of(ticket)
        time = 0.0 if standing is QueuePriority.UNKNOWN else order.learner_time  # which may change for all of these at once
        return _Group(kind, standing, memory_bytes), (time, order.among_unknown, flow.turn, flow, ticket)

    def _find_first(self, address: str) -> Iterator[tuple[_Group, tuple[Any, ...]]]:
        """The first of each group at an address."""
        learners = self._learners.get(address)
        for group, entries in learners.groups.items() if learners else ():
            *_, turn, flow, ticket = entries[0]
            is_small = self._reservations.is_small(address, group.memory_bytes)
            yield group._replace(is_small=is_small), (*self._accounts.order_of(ticket), turn, flow)
