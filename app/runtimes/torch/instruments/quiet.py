"""A time in which nothing that happens is seen: for computing what a check did not get to. Runs in the child.

Output is dropped, random state is put back, warnings are not shown and leave no record, exceptions are swallowed.
"""

import io
import random
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy
import torch

from app.runtimes.silence import silence

# Put into the list by hand: warnings.catch_warnings would reset what was warned about already, which a learner can see.
_IGNORE_ALL = ("ignore", None, Warning, None, 0)


@contextmanager
def quiet() -> Iterator[None]:
    states = random.getstate(), numpy.random.get_state(), torch.default_generator.get_state()
    with silence():
        streams = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = io.StringIO(), io.StringIO()  # a learner may have redirected them into something that is read
        filters = warnings.filters
        filters.insert(0, _IGNORE_ALL)  # type: ignore[attr-defined]  # a list, which the stubs call a Sequence
        try:
            yield
        except BaseException:
            return
        finally:
            if filters and filters[0] is _IGNORE_ALL:
                del filters[0]  # type: ignore[attr-defined]
            sys.stdout, sys.stderr = streams
            random.setstate(states[0])
            numpy.random.set_state(states[1])
            torch.default_generator.set_state(states[2])
