"""How often autograd has gone back through a graph in this process, whoever asked for it and in whatever thread.

Runs in both children of a submission. PyTorch numbers these runs one after another, and a hook inside of one can read its number.
"""

from typing import Self

import torch

# Taken before a learner can replace them.
_grad, _number = torch.autograd.grad, torch._C._current_graph_task_id
_enable_grad, _inference_mode, _zeros = torch.enable_grad, torch.inference_mode, torch.zeros


class BackwardRuns:
    """Within the block, runs are counted; `count` is how many there were in it."""

    count = 0

    def __enter__(self) -> Self:
        self._first = _next_number()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.count = _next_number() - self._first - 1


def _next_number() -> int:
    """The number of a run that this makes."""
    numbers: list[int] = []
    with _inference_mode(False), _enable_grad():
        leaf = _zeros((), requires_grad=True)
        out = leaf * 1
        node = out.grad_fn
        assert node is not None
        node.register_prehook(lambda _: numbers.append(_number()))
        _grad(out, leaf)
    return numbers[0]
