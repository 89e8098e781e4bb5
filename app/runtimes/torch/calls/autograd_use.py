"""Records every computation of gradients in this process while it answers a request, except the pull that is requested.

Runs in both children. PyTorch numbers the runs of its autograd engine across all threads, and a hook can read the number of its run. So the
runs can be counted. PyTorch's legacy profiler, which needs no tracing library, records what else this thread computes: each operator and
each node of a graph, nested as they are called. Other threads, and modes and hooks that were left on, are recorded too.
"""

import sys
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import torch
from msgspec import structs
from torch._C._profiler import _ExperimentalConfig

from app.protocol.calls import USED_NAMES, Used
from app.runtimes.plain_text import NAME_CHARACTERS, plain

_autograd: Any = torch.autograd  # the type stubs lack its profilers

# Taken before a learner can replace them.
_grad, _number = torch.autograd.grad, torch._C._current_graph_task_id
_enable_grad, _inference_mode, _zeros = torch.enable_grad, torch.inference_mode, torch.zeros
_start, _stop = _autograd._enable_profiler_legacy, _autograd._disable_profiler_legacy
_CONFIG = _autograd.ProfilerConfig(_autograd.ProfilerState.CPU, False, False, False, False, False, _ExperimentalConfig(), "")
_function_modes, _dispatch_modes = torch._C._len_torch_function_stack, torch._C._len_torch_dispatch_stack
_saving_hooks = torch._C._autograd._top_saved_tensors_default_hooks
_empty = torch.empty
_set_profile, _get_profile, _threads, _get_ident = threading.setprofile, threading.getprofile, threading.enumerate, threading.get_ident

_ENGINE = "autograd::engine::evaluate_function"  # the beginning of the name of an event in which the engine calls a node
_FUNCTION, _NODE = (
    0,
    1,
)  # scopes of events: RecordScope::FUNCTION and BACKWARD_FUNCTION; a program can choose the names of events in other scopes
_OPERATOR = "aten::"
_UNDEFINED = "torch::autograd::UndefinedGrad"  # a pull uses it to send undefined gradients
_WITNESS = "aten::empty"  # the first and the last operator in a recording: AutogradUse calls them itself
_FORWARD_MODE = "aten::_make_dual"


class Step(NamedTuple):
    """An operator or node that was called. `caller` is the step that called it, None if the request itself did."""

    name: str
    is_node: bool
    caller: "Step | None"
    is_engines: bool = False  # whether it is a node that autograd's engine called


class AutogradUse:
    """Records what computes gradients within the block, even if the block raises. Does nothing unless `watched` is true."""

    def __init__(self, watched: bool) -> None:
        self._watched = watched
        self._used: Used | None = None

    def __enter__(self) -> Self:
        if self._watched:
            self._first = _next_number()
            self._left_on = _left_on()
            self._threads = OtherThreads()
            self._threads.begin()
            _start(_CONFIG)
            _empty(())
        return self

    def __exit__(self, *_: object) -> None:
        if not self._watched:
            return
        _empty(())
        events = _stop()
        self._threads.end()
        runs = _next_number() - self._first - 1
        threads = [list(_steps(thread)) for thread in events]
        steps = [step for thread in threads for step in thread]
        broken = [] if _is_whole(events, threads) else ["torch.profiler"]
        means = [step.name for step in steps if _computes_gradient(step)] + broken + self._left_on + _left_on() + self._threads.names
        operators = [step.name for step in steps if step.name.startswith(_OPERATOR) and _is_of_program(step)]
        self._used = Used(runs=runs, means=_named(means), operators=_named(operators))

    def found(self, pulls: int = 0) -> Used | None:
        """Return what was used; None unless `watched`. Call this after the block. `pulls` is how many runs the request itself needed."""
        return self._used and structs.replace(self._used, runs=max(0, self._used.runs - pulls))


def _named(names: list[str]) -> list[str]:
    return [plain(name, NAME_CHARACTERS) for name in dict.fromkeys(names)][:USED_NAMES]


def _is_whole(events: list[list[Any]], threads: list[list[Step]]) -> bool:
    """Return whether the profiler ran throughout the block: each event has ended, and the first and last operators are Gradroom's."""
    pushed = [sum(event.kind() == "push" for event in thread) for thread in events]
    popped = [sum(event.kind() == "pop" for event in thread) for thread in events]
    outer = [[step.name for step in thread if step.caller is None] for thread in threads]
    return pushed == popped and any(names[:1] == names[-1:] == [_WITNESS] for names in outer)


def _steps(events: list[Any]) -> Iterator[Step]:
    stack: list[Step | None] = []
    called: list[bool] = []  # whether the engine has called the node of this step
    for event in events:
        if event.kind() == "push":
            caller = stack[-1] if stack else None
            if event.scope() in (_FUNCTION, _NODE):
                is_engines = caller is not None and caller.name == f"{_ENGINE}: {event.name()}" and not called[-1]
                if is_engines:
                    called[-1] = True
                yield (caller := Step(event.name(), event.scope() == _NODE, caller, is_engines))
            stack.append(caller)
            called.append(False)
        elif event.kind() == "pop" and stack:
            stack.pop()
            called.pop()


def _computes_gradient(step: Step) -> bool:
    if step.is_node:
        return not step.is_engines and step.name != _UNDEFINED
    is_derivative = step.name == _FORWARD_MODE or (step.name.startswith(_OPERATOR) and "_backward" in step.name)
    in_hook = step.caller is not None and step.caller.name.startswith(_ENGINE)
    return is_derivative and (in_hook or _is_of_program(step))


def _is_of_program(step: Step) -> bool:
    """Return whether Python code of the program called the step, rather than an operator of PyTorch, a node or the engine."""
    caller = step.caller
    while caller is not None and not caller.is_node:  # the caller is a Function's forward or an operator that the program defines
        if caller.name.startswith((_OPERATOR, _ENGINE)):
            return False
        caller = caller.caller
    return caller is None or caller.name.endswith("Backward")


def _left_on() -> list[str]:
    """Return the names of modes and hooks that are active now and change what operators do."""
    hooks = ["saved_tensors_hooks"] if _saving_hooks(False) is not None else []
    return hooks + ["TorchFunctionMode"] * bool(_function_modes()) + ["TorchDispatchMode"] * bool(_dispatch_modes())


def _next_number() -> int:
    """Run autograd once, and return the number of this run."""
    numbers: list[int] = []
    with _inference_mode(False), _enable_grad():
        leaf = _zeros((), requires_grad=True)
        out = leaf * 1
        node: Any = out.grad_fn
        node.register_prehook(lambda _: numbers.append(_number()))
        _grad(out, leaf)
    return numbers[0]


class OtherThreads:
    """Watches for other threads between `begin` and `end`. If there were any, `names` is not empty."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def begin(self) -> None:
        if tqdm := sys.modules.get("tqdm"):
            tqdm.tqdm.monitor_interval = 0  # keeps its progress bars from starting a thread
        if any(map(_is_other, _threads())):
            self.names = ["threading.Thread"]
        self._before = _get_profile()
        _set_profile(self._on_thread_start)

    def end(self) -> None:
        _set_profile(self._before)

    def _on_thread_start(self, *_: object) -> None:
        """Record that there is another thread. Python calls this in each thread that starts."""
        self.names = ["threading.Thread"]
        sys.setprofile(None)


def _is_other(thread: threading.Thread) -> bool:
    """Return whether a thread is neither this one nor the monitor thread of tqdm's progress bars."""
    return thread.ident != _get_ident() and type(thread).__name__ != "TMonitor"
