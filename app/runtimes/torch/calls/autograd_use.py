"""What computes gradients in this process while a request is answered, besides the pull itself. Runs in both children of a submission.

Runs of autograd are numbered by PyTorch, and a hook inside of one can read its number: so they are counted in all threads. What this thread
does without a run is read from PyTorch's own profiler, the one that needs no tracing library: it writes down each operator and each node of
a graph, nested as they are called. A pull that computes nothing costs some 0.02 ms more with it, and an operator some 0.01 ms.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import torch
from msgspec import structs
from torch._C._profiler import _ExperimentalConfig

from app.protocol.calls import USED_NAMES, Used
from app.runtimes.plain_text import NAME_CHARACTERS, plain

_autograd: Any = torch.autograd  # whose stubs leave out its profilers

# Taken before a learner can replace them.
_grad, _number = torch.autograd.grad, torch._C._current_graph_task_id
_enable_grad, _inference_mode, _zeros = torch.enable_grad, torch.inference_mode, torch.zeros
_start, _stop = _autograd._enable_profiler_legacy, _autograd._disable_profiler_legacy
_CONFIG = _autograd.ProfilerConfig(_autograd.ProfilerState.CPU, False, False, False, False, False, _ExperimentalConfig(), "")
_function_modes = torch._C._len_torch_function_stack
_dispatch_modes = torch._C._len_torch_dispatch_stack

_ENGINE = "autograd::engine::evaluate_function"  # how an event begins in which the engine calls one node
_FUNCTION, _NODE = 0, 1  # scopes of events: RecordScope::FUNCTION and BACKWARD_FUNCTION; others are of names that a program makes up
_OPERATOR = "aten::"
_UNDEFINED = "torch::autograd::UndefinedGrad"  # with which a pull sends undefined gradients back
_FORWARD_MODE = "aten::_make_dual"


class Step(NamedTuple):
    """An operator or node that was called, and what called it: the step around it, None for the request itself."""

    name: str
    is_node: bool
    caller: "Step | None"


class AutogradUse:
    """Within the block, what computes gradients is written down, if it is `watched`; also where the block raises."""

    def __init__(self, watched: bool) -> None:
        self._watched = watched
        self._used: Used | None = None

    def __enter__(self) -> Self:
        if self._watched:
            self._first = _next_number()
            self._modes = _function_modes() + _dispatch_modes()
            _start(_CONFIG)
        return self

    def __exit__(self, *_: object) -> None:
        if not self._watched:
            return
        events = _stop()
        runs = _next_number() - self._first - 1
        steps = [step for thread in events for step in _steps(thread)]
        means = [step.name for step in steps if _computes_gradient(step)] + ["TorchFunctionMode"] * bool(self._modes)
        operators = [step.name for step in steps if step.name.startswith(_OPERATOR) and _is_of_program(step)]
        self._used = Used(runs=runs, means=_named(means), operators=_named(operators))

    def found(self, pulls: int = 0) -> Used | None:
        """After the block: what was used. `pulls`: how many runs were asked for."""
        return self._used and structs.replace(self._used, runs=max(0, self._used.runs - pulls))


def _named(names: list[str]) -> list[str]:
    return [plain(name, NAME_CHARACTERS) for name in dict.fromkeys(names)][:USED_NAMES]


def _steps(events: list[Any]) -> Iterator[Step]:
    stack: list[Step | None] = []
    for event in events:
        if event.kind() == "push":
            caller = stack[-1] if stack else None
            if event.scope() in (_FUNCTION, _NODE):
                yield (caller := Step(event.name(), event.scope() == _NODE, caller))
            stack.append(caller)
        elif event.kind() == "pop" and stack:
            stack.pop()


def _computes_gradient(step: Step) -> bool:
    if step.is_node:
        return step.name != _UNDEFINED and (step.caller is None or not step.caller.name.startswith(_ENGINE))
    return (step.name == _FORWARD_MODE or "_backward" in step.name) and _is_of_program(step)


def _is_of_program(step: Step) -> bool:
    """Whether Python code called it, and neither one of PyTorch's operators, nor one of its nodes, nor the engine."""
    caller = step.caller
    if caller is None:
        return True
    return (
        caller.name.endswith("Backward") if caller.is_node else not caller.name.startswith((_OPERATOR, _ENGINE)) and _is_of_program(caller)
    )


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
