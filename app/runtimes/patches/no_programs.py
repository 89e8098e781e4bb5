"""Say plainly that other programs cannot be started, where the system's refusal would not be heard. Installed in the zygote.

The sandbox refuses them all; this only turns a status that nobody reads, or a compiler's long complaint, into an error.
"""

import errno
import os
from multiprocessing.synchronize import SemLock
from typing import Any

from app.runtimes.stand_in import Call, stand_in


def refuse(name: str, why: str = "") -> PermissionError:
    """The error for something that needs another program."""
    reason = f"{why}, and " if why else ""
    return PermissionError(errno.EPERM, f"{name} is not available here: {reason}a lesson may not start other programs")


def install_no_programs() -> None:
    """Let os.system raise, which would answer the status 127, like a command that is not found; and what multiprocessing makes first."""
    os.system = stand_in(os.system, _system)
    SemLock.__init__ = stand_in(SemLock.__init__, _make_lock)  # type: ignore[method-assign]


def _system(_: Call, command: Any = None) -> int:
    raise refuse("os.system")


def _make_lock(_: Call, *__: Any, **___: Any) -> None:
    raise refuse("multiprocessing", "it is for several processes")
