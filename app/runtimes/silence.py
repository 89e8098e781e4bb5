"""Blocks of code whose output, warnings or errors the learner does not see. Runs in the child.

Used while cells are replayed, while a check's missing Jacobians are computed, and while a figure is drawn.
"""

import ctypes
import io
import os
import random
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy

from app.runtimes.failure import raising_module
from app.runtimes.output_streams import CountingFile

_frames_of_threads = sys._current_frames

_libc = ctypes.CDLL(None)

_IGNORE_ALL = ("ignore", None, Warning, None, 0)


def flush_output() -> None:
    """Write out what Python's streams and C's stdio have buffered."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        with suppress(BaseException):
            stream.flush()  # type: ignore[union-attr]  # a learner may have set it to None; that is what suppress is for
    _libc.fflush(None)


@contextmanager
def silence() -> Iterator[None]:
    """Drop what Python or C code writes to descriptors 1 and 2 within the block."""
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
    """Show no warnings within the block, and do not let Python remember them as shown.

    The filter is inserted without `_filters_mutated`. That function would make Python forget which warnings it has shown, and a learner
    could see this.
    """
    module: Any = warnings
    filters, mutated = module.filters, module._filters_mutated
    module._filters_mutated = lambda: None
    filters.insert(0, _IGNORE_ALL)
    try:
        yield
    finally:
        if filters and filters[0] is _IGNORE_ALL:
            del filters[0]
        module._filters_mutated = mutated


def is_only_thread() -> bool:
    """Return whether no other thread of the process runs Python."""
    return len(_frames_of_threads()) == 1


@contextmanager
def unseen() -> Iterator[None]:
    """Hide output, warnings and exceptions within the block; afterwards, restore the random state of Python and numpy.

    Exceptions are passed on only if a module of Gradroom raised them. The random state of a framework must be restored by its runtime. The
    block affects the whole process, and output of other threads would be lost: use it only if `is_only_thread()`.
    """
    states = random.getstate(), numpy.random.get_state()
    with silence(), ignored_warnings():
        streams = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = io.StringIO(), io.StringIO()  # the learner may have redirected them to a stream that is read later
        try:
            yield
        except BaseException as error:
            if raising_module(error).startswith("app."):
                raise
        finally:
            sys.stdout, sys.stderr = streams
            random.setstate(states[0])
            numpy.random.set_state(states[1])
