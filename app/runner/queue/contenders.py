"""Who could go on or begin: sorted as what decides it changes, so that a look at the first of them costs as much however many wait.

Flows that differ in nothing but their times and turns are a group. Of a group only the lowest can be next, or be owed a place that somebody
holds; so a look goes through the groups, of which there are few, and not through the learners.
"""

from bisect import bisect_left, insort
from collections.abc import Collection, Hashable, Iterator
from enum import Enum, auto
from typing import Any, NamedTuple

from app.protocol.owner import Owner
from app.runner.queue.account_tree import AccountTree, Standing
from app.runner.queue.flows import Flow, Flows
from app.runner.queue.places import Places
from app.runner.queue.promises import Promises


class _Kind(Enum):
    RESUME = auto()  # a paused run goes on
    BEGIN = auto()
    BEGIN_LATER = auto()  # a paused run of the same learner goes on before


class _Group(NamedTuple):
    """What flows have in common. `standing`: of the learner, whatever the address used; `is_small`: the address holds little memory."""

    kind: _Kind
    standing: Standing
    memory_bytes: int = 0
    is_tried: bool = False
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


class Contenders:
    """The flows with a run that can go on or begin, or waits for memory alone. It follows `changed` of the flows."""

    def __init__(self, flows: Flows, accounts: AccountTree, promises: Promises, places: Places) -> None:
        self._flows = flows
        self._accounts = accounts
        self._promises = promises
        self._places = places
        self._learners: dict[str, _SortedGroups] = {}  # by address: (time of the learner, turn, flow)
        self._addresses = _SortedGroups()  # (time of the address, then the entry of its first learner)

    def find(self, addresses: Collection[str] = ()) -> list[Flow]:
        """Of those that can go on or begin now, in order: of each group the first at two addresses, and at each of `addresses`."""
        found = [entry for group, entries in self._parts() if self._may_go(group) for entry in entries]
        for address in addresses:
            if learners := self._learners.get(address):
                time = self._accounts.address_time(address)
                found += [
                    (time, *entries[0])
                    for group, entries in learners.groups.items()
                    if self._may_go(_limit(self._measure(group, address), time < self._accounts.credit_limit))
                ]
        return [entry[-1] for entry in sorted(found)]

    def lack_memory(self) -> bool:
        """Whether somebody waits for memory alone."""
        return any(self._lacks_memory(group) for group, _ in self._parts())

    def lack_trials(self) -> bool:
        """Whether somebody waits for memory alone who could have it on trial."""
        return any(self._lacks_memory(group) and group.standing is not Standing.HEAVY for group, _ in self._parts())

    def _may_go(self, group: _Group) -> bool:
        return group.kind is _Kind.RESUME or (group.kind is _Kind.BEGIN and not self._lacks_memory(group))

    def _lacks_memory(self, group: _Group) -> bool:
        return group.kind is not _Kind.RESUME and not self._promises.allow(group.memory_bytes, group.is_small, group.standing)

    def _parts(self) -> Iterator[tuple[_Group, list[Any]]]:
        """The first two entries of each group, and of those in credit, which are so at addresses below the limit, of each side of that."""
        self._follow()
        for group, entries in self._addresses.groups.items():
            if group.standing is not Standing.IN_CREDIT:
                yield group, entries[:2]
                continue
            limit = bisect_left(entries, (self._accounts.credit_limit,))
            if limit:
                yield group, entries[: min(limit, 2)]
            if limit < len(entries):
                yield _limit(group, False), entries[limit : limit + 2]

    def _follow(self) -> None:
        """Sort in again what has changed: flows at their addresses, then these addresses."""
        for owner in self._flows.changed:
            self._learners.setdefault(owner.address, _SortedGroups()).replace(owner, list(self._enter(owner)))
        for address in {owner.address for owner in self._flows.changed}:
            groups = self._learners[address].groups
            time = self._accounts.address_time(address) if groups else 0.0
            self._addresses.replace(address, [(self._measure(group, address), (time, *entries[0])) for group, entries in groups.items()])
            if not groups:
                del self._learners[address]
        self._flows.changed.clear()

    def _enter(self, owner: Owner) -> Iterator[tuple[_Group, tuple[float, int, Flow]]]:
        """A flow has an entry for what goes on, and one for what may begin."""
        if not (flow := self._flows.get(owner)):
            return
        standing = self._accounts.learner_standing(owner)
        entry = (self._accounts.learner_time(owner), flow.turn, flow)
        if flow.paused:
            first = flow.paused[0]
            is_light = standing is Standing.IN_CREDIT and first.charged_seconds < self._places.quantum_seconds
            is_tried = self._promises.is_tried(first)
            yield _Group(_Kind.RESUME, Standing.IN_CREDIT if is_light else Standing.UNKNOWN, is_tried=is_tried), entry
        if (next_run := flow.next) and flow.begun < self._places.learner:
            yield _Group(_Kind.BEGIN_LATER if flow.paused else _Kind.BEGIN, standing, next_run.memory_bytes), entry

    def _measure(self, group: _Group, address: str) -> _Group:
        return group._replace(is_small=self._promises.is_small(address, group.memory_bytes))


def _limit(group: _Group, in_credit: bool) -> _Group:
    """The group at an address that used much: nobody there is in credit."""
    return group if in_credit or group.standing is not Standing.IN_CREDIT else group._replace(standing=Standing.UNKNOWN)
