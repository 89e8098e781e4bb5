"""What nodes and tensors are called in a run: one id each, whichever record shows them. Runs in the child.

A node is called by autograd's own count of the nodes that the thread has recorded, so its id depends on nothing that observes it, and is
never given twice: nothing is kept alive for it. A tensor is called by the node that made it, any other by the order in which they were
first asked for; its id is remembered for as long as it lives.
"""

from collections import Counter
from typing import Any

import torch
from torch.utils.weak import WeakTensorKeyDictionary

from app.runtimes.torch.tensors import is_tensor, read_field

# Taken before a learner can replace them.
_count_nodes = torch._C._autograd._get_sequence_nr
_sequence_of_custom, _metadata_of_custom = torch._C._FunctionBase._sequence_nr, torch._C._FunctionBase.__dict__["metadata"]
_NO_SEQUENCE = 2**53
_KEY = "gradroom"


class Identities:
    """The ids of one program.

    An instrument that is off by default asks for those of tensors in its `finish` only, so that the others have the same without it.
    """

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """A program begins, in this thread."""
        self._first = _count_nodes()
        self._tensors = WeakTensorKeyDictionary()
        self._counts: Counter[str] = Counter()

    def fresh(self, prefix: str) -> str:
        """An id that nothing else has: `prefix` and a number."""
        self._counts[prefix] += 1
        return f"{prefix}{self._counts[prefix]}"

    def node(self, function: Any) -> str:
        """n0, n1 … in the order in which autograd recorded them; t1_grad of the AccumulateGrad of the tensor t1."""
        number = sequence_of(function)
        if number is None and is_tensor(variable := getattr(function, "variable", None)):
            return f"{self.tensor(variable)}_grad"
        if number is not None and self._first <= number < _count_nodes():
            return f"n{number - self._first}"
        metadata = metadata_of(function)  # of another thread, which counts by itself; it lives as long as the node
        if _KEY not in metadata:
            metadata[_KEY] = self.fresh("m")
        return str(metadata[_KEY])

    def tensor(self, tensor: torch.Tensor) -> str:
        """n4_0 for the first output of the node n4; t1, t2 … for leaves and for what has no gradient."""
        if tensor not in self._tensors:
            self._tensors[tensor] = self._name(tensor)
        return str(self._tensors[tensor])

    def _name(self, tensor: torch.Tensor) -> str:
        try:
            maker = read_field(tensor, "grad_fn")
        except RuntimeError:  # a view that was written to where PyTorch forbids it
            maker = None
        return self.fresh("t") if maker is None else f"{self.node(maker)}_{read_field(tensor, 'output_nr')}"


def sequence_of(function: Any) -> int | None:
    """Which function this is in the order in which autograd recorded them; None of an AccumulateGrad, which is in no order."""
    number = int(_sequence_of_custom(function) if is_custom(function) else function._sequence_nr())
    return number if number < _NO_SEQUENCE else None


def metadata_of(function: Any) -> dict[str, Any]:
    metadata: dict[str, Any] = _metadata_of_custom.__get__(function) if is_custom(function) else function.metadata
    return metadata


def is_custom(function: Any) -> bool:
    """Whether it is a learner's own Function, whose class and attributes are theirs."""
    return issubclass(type(function), torch._C._FunctionBase)


IDENTITIES = Identities()
