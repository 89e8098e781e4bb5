"""A time in which nothing that happens is seen: for computing what a check did not get to. Runs in the child.

Output is dropped, random state is put back, warnings are not shown and leave no record, exceptions are swallowed but for those that our
own modules raise. All of that holds for the whole process, so it is only for a program without other threads: what they print in that
time would be lost, and what they draw at random drawn twice.
"""

import io
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy

from app.runtimes.failure import raising_module
from app.runtimes.silence import ignored_warnings, silence

_frames_of_threads = sys._current_frames


def is_only_thread() -> bool:
    """Whether no other thread of the process runs Python."""
    return len(_frames_of_threads()) == 1


@contextmanager
def unseen() -> Iterator[None]:
    """Raises only what one of our own modules raised. What a framework draws at random is for its own runtime to put back."""
    states = random.getstate(), numpy.random.get_state()
    with silence(), ignored_warnings():
        streams = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = io.StringIO(), io.StringIO()  # a learner may have redirected them into something that is read
        try:
            yield
        except BaseException as error:
            if raising_module(error).startswith("app."):
                raise
        finally:
            sys.stdout, sys.stderr = streams
            random.setstate(states[0])
            numpy.random.set_state(states[1])
