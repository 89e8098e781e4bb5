"""Errors that say plainly what a run cannot have: input, other programs, TensorFlow beside another framework.

Installed in the zygote, called in the child. The sandbox refuses other programs anyway; without these functions a program would get a
status that nobody reads, or a library's long complaint.
"""

import builtins
import errno
import functools
import os
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from multiprocessing.synchronize import SemLock
from types import ModuleType
from typing import Any

from app.runtimes.stand_in import Call, stand_in

# The runner explains these messages (app/pitfalls/here: no-input, tensorflow-elsewhere).
_NO_INPUT = "there is no input here"
_TENSORFLOW = "tensorflow"
_NO_TENSORFLOW = f"{_TENSORFLOW} is not available here: it has to be loaded before a run begins"


@functools.wraps(builtins.input)
def _no_input(prompt: Any = "", /) -> str:
    raise EOFError(_NO_INPUT)


def refuse(name: str, why: str = "") -> PermissionError:
    """Return the error for `name`, which needs another program; `why` says what for."""
    reason = f"{why}, and " if why else ""
    return PermissionError(errno.EPERM, f"{name} is not available here: {reason}a lesson may not start other programs")


def install_refusals() -> None:
    """Let input(), os.system and the locks of multiprocessing raise.

    Otherwise os.system would return 127, as for a command that is not found.
    """
    builtins.input = _no_input
    os.system = stand_in(os.system, _system)
    SemLock.__init__ = stand_in(SemLock.__init__, _make_lock)  # type: ignore[method-assign]


def _system(_: Call, command: Any = None) -> int:
    raise refuse("os.system")


def _make_lock(_: Call, *__: Any, **___: Any) -> None:
    raise refuse("multiprocessing", "it is for several processes")


class _Refusal(MetaPathFinder, Loader):
    """Finds TensorFlow for a program that only looks for the module, but raises ImportError if the program imports it."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname == _TENSORFLOW else None

    def exec_module(self, module: ModuleType) -> None:
        raise ImportError(_NO_TENSORFLOW, name=_TENSORFLOW)


def install_no_tensorflow() -> None:
    """Let the import of TensorFlow raise ImportError, whether TensorFlow is installed or not.

    A run of another framework has too little memory for TensorFlow's libraries, and too few threads for its first operation. The import
    would fail with another error, or a signal would end the process.
    """
    sys.meta_path.insert(0, _Refusal())
