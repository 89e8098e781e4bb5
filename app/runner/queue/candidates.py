"""Sorts the flows with a run that could resume or begin, so that a search takes the same time however many runs wait.

Flows (app.runner.queue.flows) that differ in nothing but their times and turns are a group: for example, all whose next run is new, is
expected to be short, and asks for 400 MiB. Whatever rule applies to one run of a group applies to all, so only the lowest of a group can be
next. A search therefore looks at the first of each group, of which there are few, and not at every learner.
"""

from bisect import bisect_left, insort
from collections.abc import Collection, Hashable, Iterator
from enum import Enum, auto
from typing import Any, NamedTuple

from app.protocol.owner import Owner
from app.runner.queue.account_tree import AccountTree
from app.runner.queue.accounts import QueuePriority
from app.runner.queue.capacity import Capacity
from app.runner.queue.flows import Flow, Flows
from app.runner.queue.memory_reservations import MemoryReservations
from app.runner.queue.ticket import Ticket


class _Kind(Enum):
    RESUME = auto()  # a paused run would resume
    BEGIN = auto()  # a waiting run would begin
    BEGIN_LATER = auto()  # a waiting run would begin once a paused run of the same learner has resumed


class _Group(NamedTuple):
    """What the flows of a group have in common. `priority`: that with which their next runs are promised memory.

    `is_small`: whether the address would hold little memory with that run.
    """

    kind: _Kind
    priority: QueuePriority
    memory_bytes: int = 0
    is_small: bool = False


class _SortedGroups:
    """Sorted entries, in groups. Each entry is a tuple and belongs to a member; a member may have entries in several groups."""

    def __init__(self) -> None:
        self.groups: dict[_Group, list[Any]] = {}
        self._entries: dict[Hashable, list[tuple[_Group, Any]]] = {}

    def replace(self, member: Hashable, entries: list[tuple[_Group, Any]]) -> None:
        """Replace all entries of a member."""
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
    """The flows whose next run can resume or begin, or waits for memory alone.

    Before each search, the flows of the owners in `flows.changed` are sorted again.
    """

    def __init__(self, flows: Flows, accounts: AccountTree, reservations: MemoryReservations, capacity: Capacity) -> None:
        self._flows = flows
        self._accounts = accounts
        self._reservations = reservations
        self._capacity = capacity
        self._learners: dict[str, _SortedGroups] = {}  # by address: (time, among_unknown, turn, flow, run)
        self._addresses = _SortedGroups()  # by address: (rank of its first run, turn, flow)

    def find(self, addresses: Collection[str] = ()) -> list[Flow]:
        """Return, in order, flows whose runs can resume or begin now.

        For each group these are its first flow at each of two addresses, and its first flow at each of `addresses`.

        One address would not be enough: it may be the address of the run that would be paused, and within an address other rules apply.
        """
        found = [entry for group, entries in self._parts() if self._can_run(group) for entry in entries]
        for address in addresses:
            found += [entry for group, entry in self._find_first(address) if self._can_run(group)]
        return [entry[-1] for entry in sorted(found)]

    def lack_memory(self) -> bool:
        """Return whether some run could begin if there were more memory."""
        return any(self._lacks_memory(group) for group, _ in self._parts())

    def lack_trials(self) -> bool:
        """Return whether some run could begin if a run on trial gave its memory back."""
        return any(self._lacks_memory(group) and (group.is_small or group.priority is not QueuePriority.LONG) for group, _ in self._parts())

    def _can_run(self, group: _Group) -> bool:
        return group.kind is _Kind.RESUME or (group.kind is _Kind.BEGIN and not self._lacks_memory(group))

    def _lacks_memory(self, group: _Group) -> bool:
        return group.kind is not _Kind.RESUME and not self._reservations.allow(group.memory_bytes, group.is_small, group.priority)

    def _parts(self) -> Iterator[tuple[_Group, list[Any]]]:
        """Return the first two entries of each group."""
        self._update()
        return ((group, entries[:2]) for group, entries in self._addresses.groups.items())

    def _update(self) -> None:
        """Sort the changed flows into the groups of their addresses again, and then sort these addresses in again."""
        for owner in self._flows.changed:
            self._learners.setdefault(owner.address, _SortedGroups()).replace(owner, list(self._entries_of(owner)))
        for address in {owner.address for owner in self._flows.changed}:
            self._addresses.replace(address, list(self._find_first(address)))
            if not self._learners[address].groups:
                del self._learners[address]
        self._flows.changed.clear()

    def _entries_of(self, owner: Owner) -> Iterator[tuple[_Group, tuple[Any, ...]]]:
        """Yield an entry for the run that would resume, and one for the run that would begin."""
        if not (flow := self._flows.get(owner)):
            return
        if flow.paused:
            yield self._entry_of(flow, flow.paused[0], _Kind.RESUME)
        if (next_run := flow.next) and flow.begun < self._capacity.learner:
            yield self._entry_of(flow, next_run, _Kind.BEGIN_LATER if flow.paused else _Kind.BEGIN, next_run.memory_bytes)

    def _entry_of(self, flow: Flow, ticket: Ticket, kind: _Kind, memory_bytes: int = 0) -> tuple[_Group, tuple[Any, ...]]:
        priority, rank = self._accounts.priority_of(ticket), self._accounts.rank_of(ticket)
        memory_priority = QueuePriority.LONG if ticket.never_on_trial and kind is not _Kind.RESUME else priority
        time = 0.0 if priority is QueuePriority.UNKNOWN else rank.learner_time  # the shared time may change for all of them at once
        return _Group(kind, memory_priority, memory_bytes), (time, rank.among_unknown, flow.turn, flow, ticket)

    def _find_first(self, address: str) -> Iterator[tuple[_Group, tuple[Any, ...]]]:
        """Yield, for each group, the entry of the address: the first run that it has in the group."""
        learners = self._learners.get(address)
        for group, entries in learners.groups.items() if learners else ():
            *_, turn, flow, ticket = entries[0]
            is_small = self._reservations.is_small(address, group.memory_bytes)
            yield group._replace(is_small=is_small), (*self._accounts.rank_of(ticket), turn, flow)
