"""How many runs may wait, and which of them is refused when there are more."""

from collections.abc import Iterator

import msgspec

from app.runner.client import QueueCap
from app.runner.queue.account_tree import AccountTree, Order
from app.runner.queue.accounts import QueuePriority
from app.runner.queue.flows import Flow, Flows
from app.runner.queue.ticket import Ticket


class QueueCaps(msgspec.Struct, frozen=True, kw_only=True):
    """How many runs may wait: in all, for one learner, for one address (a classroom shares one)."""

    overall: int = 200
    learner: int = 5
    address: int = 100


class CapReached(Exception):
    """The run is refused; `reason` names the cap."""

    def __init__(self, reason: QueueCap) -> None:
        super().__init__(reason)
        self.reason = reason


def find_refused(caps: QueueCaps, newcomer: Ticket, flows: Flows, accounts: AccountTree) -> Iterator[tuple[Ticket, QueueCap]]:
    """Which runs may wait no longer now that `newcomer` does: of its learner's itself, else that of whoever has most waiting.

    Each has to be removed from the flows before the next is asked for.
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
    """Of those at an address who have most runs waiting the one whose runs are long, or that would be last: the last of its runs."""

    def rank(flow: Flow) -> tuple[int, QueuePriority, Order, int]:
        last = flow.waiting[-1]
        return len(flow.waiting), accounts.standing(last), accounts.order_of(last), flow.turn

    waiting = (flow for flow in flows if flow.owner.address == address and flow.waiting)
    return max(waiting, key=rank).waiting[-1]
