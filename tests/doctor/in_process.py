"""Runs a program in this process and examines the Functions that it defines: `python -m tests.doctor.in_process FILE…`."""

import contextlib
import io
import linecache
import sys
import time
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch.autograd import Function
from torch.autograd.function import _SingleLevelFunction

from app.probes.calls.copies import copied, has_gradient, is_plain, tensors_of
from app.probes.calls.prepared_call import ApplyCall
from app.probes.examine import ProbeReport, examine

CALLS = 2  # the most calls of each Function, which differ in the type or shape of an argument
SECONDS = 5.0


def record_calls(path: Path) -> list[ApplyCall]:
    """Run the program, even if it raises, and return the first calls of each Function that it defines."""
    calls: dict[Any, ApplyCall] = {}
    counts: dict[type[Function], int] = {}

    def record(function: type[Function], arguments: tuple[Any, ...]) -> None:
        key = function, tuple(signature(each) for each in arguments)
        is_own = function.forward.__code__.co_filename == str(path)
        if is_own and key not in calls and counts.get(function, 0) < CALLS and can_be_examined(arguments):
            counts[function] = counts.get(function, 0) + 1
            calls[key] = ApplyCall(function, tuple(copied(each) for each in arguments))

    with recording(record), quiet():
        run_as_main(path)
    return list(calls.values())


def signature(value: Any) -> Any:
    return (value.dtype, value.shape, value.requires_grad) if isinstance(value, torch.Tensor) else repr(value)


def can_be_examined(arguments: tuple[Any, ...]) -> bool:
    return any(has_gradient(each) for each in arguments) and all(is_plain(each) for each in tensors_of(arguments))


@contextlib.contextmanager
def recording(record: Any) -> Iterator[None]:
    original = Function.__dict__["apply"]

    def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
        with contextlib.suppress(Exception):
            record(cls, args if not kwargs else by_position(cls, args, kwargs))
        return original.__get__(None, cls)(*args, **kwargs)

    Function.apply = classmethod(apply)  # type: ignore[assignment,method-assign]
    try:
        yield
    finally:
        Function.apply = original  # type: ignore[method-assign]


def by_position(function: Any, args: Any, kwargs: Any) -> tuple[Any, ...]:
    names = function.forward.__code__.co_varnames[: function.forward.__code__.co_argcount]
    if function.setup_context is _SingleLevelFunction.setup_context:
        names = names[1:]
    return (*args, *(kwargs[name] for name in names[len(args) :] if name in kwargs))


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


def run_as_main(path: Path) -> None:
    main, before = types.ModuleType("__main__"), sys.modules["__main__"]
    main.__file__ = str(path)
    sys.modules["__main__"] = main
    try:
        with contextlib.suppress(Exception):
            exec(compile(path.read_text(), str(path), "exec"), vars(main))
    finally:
        sys.modules["__main__"] = before


def read_source(path: Path) -> Any:
    return lambda name: "".join(linecache.getlines(name)) if name == str(path) else None


def examine_file(path: Path, seconds: float = SECONDS) -> list[tuple[ApplyCall, ProbeReport, float]]:
    """Return each recorded call, what was observed in it, and the processor seconds that this took."""
    found = []
    for call in record_calls(path):
        began = time.process_time()
        with quiet():
            examination = examine(call, read_source(path), seconds)
        found.append((call, examination, time.process_time() - began))
    return found


def main() -> None:
    for name in sys.argv[1:]:
        for call, examination, seconds in examine_file(Path(name).resolve()):
            print(f"{name}: {call.function.__name__}: {seconds * 1000:.0f} ms, held: {' '.join(examination.held)}")
            for reason in examination.not_judged:
                print(f"    not judged: {reason}")
            for observation in examination.observations:
                print(f"    {observation.code} {observation.values} {observation.place or ''}")


if __name__ == "__main__":
    main()
