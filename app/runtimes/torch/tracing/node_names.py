"""Names for the nodes of a backward pass, which become ids when the program has ended. Runs in the child."""

import weakref
from collections.abc import Iterable, Iterator
from typing import Any

import torch

from app.runtimes.torch.identities import IDENTITIES, sequence_of
from app.runtimes.torch.tensors import is_tensor, read_field

NODES = 2_000  # the most nodes of a graph


class Leaf:
    """The name of the AccumulateGrad node of a leaf.

    Its id is requested only when the program has ended, because tensors are numbered in the order of requests.
    """

    def __init__(self, variable: torch.Tensor) -> None:
        self._variable = weakref.ref(variable)
        self._id = IDENTITIES.known(variable)

    def look_up(self) -> None:
        """Store the tensor's id, if it has one already, before the program may free the tensor."""
        variable = self._variable()
        if self._id is None and variable is not None:
            self._id = IDENTITIES.known(variable)

    @property
    def tensor_id(self) -> str:
        if self._id is None:
            variable = self._variable()
            self._id = IDENTITIES.fresh("t") if variable is None else IDENTITIES.tensor(variable)
        return self._id

    @property
    def id(self) -> str:
        """The id of the node that accumulates its gradient."""
        return f"{self.tensor_id}_grad"


Name = str | Leaf


def name_of(node: Any) -> Name:
    """Return the name of a node."""
    if sequence_of(node) is None and is_tensor(variable := getattr(node, "variable", None)):
        return Leaf(variable)
    return IDENTITIES.node(node)


def id_of(name: Name) -> str:
    """Return the id of a node. Call this only when the program has ended."""
    return name.id if isinstance(name, Leaf) else name


def tensor_or_node(maker: Name | None) -> str | None:
    """Return the id of the node that made a tensor; for a leaf, the id of the tensor itself."""
    return maker.tensor_id if isinstance(maker, Leaf) else maker


def maker_of(argument: Any) -> Name | None:
    """Return the leaf that an argument is, or the name of the node that made it; None if it needs no gradient."""
    if not is_tensor(argument) or not read_field(argument, "requires_grad"):
        return None
    node = read_field(argument, "grad_fn")
    return Leaf(argument) if node is None else IDENTITIES.node(node)


def reachable(roots: Iterable[Any]) -> Iterator[Any]:
    """Yield the nodes of a graph in torchviz's order, at most one more than `NODES`."""
    waiting, seen = list(roots)[::-1], set[Any]()
    while waiting and len(seen) <= NODES:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            yield node
            waiting += [following for following, _ in reversed(node.next_functions) if following is not None]
