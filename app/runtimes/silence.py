"""Silence: for a while, nothing that is written to standard output or error is seen, or nothing is warned of. Runs in the child.

Used while cells are replayed, while a check's missing Jacobians are computed, and while a figure is drawn. Python's streams and what
C code writes to descriptors 1 and 2 are both covered.
"""

import ctypes
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from app.runtimes.output_streams import CountingFile

_libc = ctypes.CDLL(None)

_IGNORE_ALL = ("ignore", None, Warning, None, 0)


def flush_output() -> None:
    """Push out what Python's streams and C's stdio still hold."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        with suppress(BaseException):
            stream.flush()  # type: ignore[union-attr]  # a learner may have set it to None; that is what suppress is for
    _libc.fflush(None)


@contextmanager
def silence() -> Iterator[None]:
    """Send descriptors 1 and 2 to /dev/null within the block."""
    flush_output()
    saved = [os.dup(1), os.dup(2)]
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.close(null)
    CountingFile.counting = False
    try:
        yield
    finally:
        flush_output()
        CountingFile.counting = True
        for descriptor, original in enumerate(saved, start=1):
            os.dup2(original, descriptor)
            os.close(original)


@contextmanager
def ignored_warnings() -> Iterator[None]:
    """Show no warnings within the block, and keep no record of them.

    The filter is put in by hand, and nothing may say that filters changed: that resets what was warned about, which a learner can see.
    """
    module: Any = warnings
    filters, tell = module.filters, module._filters_mutated
    module._filters_mutated = lambda: None
    filters.insert(0, _IGNORE_ALL)
    try:
        yield
    finally:
        if filters and filters[0] is _IGNORE_ALL:
            del filters[0]
        module._filters_mutated = tell
