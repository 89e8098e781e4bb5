"""Gives each node and tensor of a run one id, which is the same in all records. Runs in the child.

A node's id is autograd's own number for it, so the id does not depend on instruments, is unique, and keeps no object alive. A tensor's id
names the node that made the tensor. Tensors without such a node are numbered in the order in which instruments need their ids. A tensor's
id is stored for as long as the tensor lives.
"""

from collections import Counter
from collections.abc import MutableMapping
from typing import Any

import torch
from torch.utils.weak import WeakTensorKeyDictionary

from app.runtimes.torch.tensors import grad_fn_of, is_tensor, read_field

# Taken before a learner can replace them.
_count_nodes = torch._C._autograd._get_sequence_nr
_sequence_of_custom, _metadata_of_custom = torch._C._FunctionBase._sequence_nr, torch._C._FunctionBase.__dict__["metadata"]
_NO_SEQUENCE = 2**53
_KEY = "gradroom"


class Identities:
    """The ids of one program.

    An instrument that is off by default must call `tensor` only in `finish`. Otherwise it would change the ids in other records.
    """

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Start the ids of a new program, which runs in this thread."""
        self._first = _count_nodes()
        self._tensors: MutableMapping[torch.Tensor, str] = WeakTensorKeyDictionary()
        self._counts: Counter[str] = Counter()

    def fresh(self, prefix: str) -> str:
        """Return an id that nothing else has: `prefix` and a number."""
        self._counts[prefix] += 1
        return f"{prefix}{self._counts[prefix]}"

    def node(self, function: Any) -> str:
        """Return a node's id: n0, n1 … in the order in which autograd recorded them, or t1_grad for the AccumulateGrad of the tensor t1."""
        number = sequence_of(function)
        if number is None and is_tensor(variable := getattr(function, "variable", None)):
            return f"{self.tensor(variable)}_grad"
        if number is not None and self._first <= number < _count_nodes():
            return f"n{number - self._first}"
        # another thread recorded the node, and each thread has its own count; the metadata live as long as the node
        metadata: dict[str, Any] = _metadata_of_custom.__get__(function) if is_custom(function) else function.metadata
        if _KEY not in metadata:
            metadata[_KEY] = self.fresh("m")
        return str(metadata[_KEY])

    def tensor(self, tensor: torch.Tensor) -> str:
        """Return a tensor's id: n4_0 for the first output of the node n4, or t1, t2 … for leaves and tensors without a gradient."""
        if tensor not in self._tensors:
            self._tensors[tensor] = self._name(tensor)
        return self._tensors[tensor]

    def known(self, tensor: torch.Tensor) -> str | None:
        """Return a tensor's id if it was requested before. This changes no other id."""
        return self._tensors.get(tensor)

    def _name(self, tensor: torch.Tensor) -> str:
        maker = grad_fn_of(tensor)
        return self.fresh("t") if maker is None else f"{self.node(maker)}_{read_field(tensor, 'output_nr')}"


def sequence_of(function: Any) -> int | None:
    """Return autograd's number of a node; None for an AccumulateGrad, which has no number. Numbers follow the order of recording."""
    number = int(_sequence_of_custom(function) if is_custom(function) else function._sequence_nr())
    return number if number < _NO_SEQUENCE else None


def is_custom(function: Any) -> bool:
    """Return whether a node belongs to a Function written in Python. The node's class and attributes may then be anything."""
    return issubclass(type(function), torch._C._FunctionBase)


IDENTITIES = Identities()
