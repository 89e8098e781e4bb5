"""The accounts of addresses."""

from app.protocol.owner import Owner
from app.runner.queue.account_tree import AccountTree
from tests.runner.queue.class_queue import QUANTUM_SECONDS


def test_an_address_is_remembered_and_the_longest_silent_ones_are_forgotten() -> None:
    tree = AccountTree(QUANTUM_SECONDS)
    for number in range(1000):
        owner = Owner(str(number), "ann")
        tree.open(owner, now=0.0)
        tree.charge(owner, 1.0)
        tree.close(owner, now=0.0)
    first, last = Owner("0", "ann"), Owner("999", "ann")
    for owner in (first, last):
        tree.open(owner, now=0.0)
    assert tree[last][1] == 1.0
    assert tree[first][1] == 0.0
