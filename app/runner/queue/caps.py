"""How many runs may wait, and which of them is refused when there are more."""

from collections.abc import Iterator

import msgspec

from app.runner.client import QueueCap
from app.runner.queue.account_tree import AccountTree, Rank
from app.runner.queue.accounts import QueuePriority
from app.runner.queue.flows import Flow, Flows
from app.runner.queue.ticket import Ticket


class QueueCaps(msgspec.Struct, frozen=True, kw_only=True):
    """How many runs may wait: in all, of one learner, and at one address, which a classroom may share."""

    overall: int = 200
    learner: int = 5
    address: int = 100

    def share(self, nodes: int) -> "QueueCaps":
        """Return the caps of one of several nodes, which share what an address may have waiting. A learner's runs are all on one node."""
        return msgspec.structs.replace(self, address=max(-(-self.address // nodes), self.learner))


def find_refused(caps: QueueCaps, newcomer: Ticket, flows: Flows, accounts: AccountTree) -> Iterator[tuple[Ticket, QueueCap]]:
    """Yield the runs that have to be refused now that `newcomer` waits, too, each with the cap that is exceeded.

    If the learner's cap is exceeded, the newcomer is refused. Otherwise the learner who has most runs waiting loses one. For example, when
    the address of one greedy learner with five waiting runs is full, the fifth of these is refused and a classmate's first one waits. The
    caller has to remove each run from `flows` before it asks for the next.
    """
    address = newcomer.owner.address
    if len(flows[newcomer.owner].waiting) > caps.learner:
        yield newcomer, "learner"
    if flows.waiting_at[address] > caps.address:
        yield _find_heaviest(address, flows, accounts), "address"
    if flows.waiting > caps.overall:
        most = max(flows.waiting_at, key=lambda each: (flows.waiting_at[each], each == address))
        yield _find_heaviest(most, flows, accounts), "overall"


def _find_heaviest(address: str, flows: Flows, accounts: AccountTree) -> Ticket:
    """Return the last waiting run of the learner at this address who has most runs waiting.

    Of learners with equally many, it is the one with the longer runs; of these, the one whose runs go later.
    """

    def weight(flow: Flow) -> tuple[int, QueuePriority, Rank, int]:
        last = flow.waiting[-1]
        return len(flow.waiting), accounts.priority_of(last), accounts.rank_of(last), flow.turn

    waiting = (flow for flow in flows if flow.owner.address == address and flow.waiting)
    return max(waiting, key=weight).waiting[-1]
