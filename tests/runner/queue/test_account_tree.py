"""The accounts of addresses."""

from app.protocol.owner import Owner
from app.runner.queue.account_tree import AccountTree
from app.runner.queue.ticket import Ticket
from tests.runner.queue.class_queue import QUANTUM_SECONDS


def test_an_address_is_remembered_and_the_longest_silent_ones_are_forgotten() -> None:
    tree = AccountTree(QUANTUM_SECONDS)
    for number in range(1000):
        owner = Owner(str(number), "ann")
        tree.open(owner, now=0.0)
        tree.charge(Ticket(owner, 1), 1.0)
        tree.record_run(owner, is_short=True, now=0.0)
        tree.close(owner, now=0.0)
    times = []
    for address in ("999", "0"):
        owner = Owner(address, "ann")
        tree.open(owner, now=0.0)
        times.append(tree.rank_of(Ticket(owner, 1)).learner_time)
    assert times == [1.0, 0.0]
