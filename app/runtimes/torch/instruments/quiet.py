"""A time in which nothing that happens is seen: for computing what a check did not get to. Runs in the child.

Output is dropped, random state is put back, warnings are not shown and leave no record, exceptions are swallowed.
"""

import io
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy
import torch

from app.runtimes.silence import ignored_warnings, silence


@contextmanager
def quiet() -> Iterator[None]:
    states = random.getstate(), numpy.random.get_state(), torch.default_generator.get_state()
    with silence(), ignored_warnings():
        streams = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = io.StringIO(), io.StringIO()  # a learner may have redirected them into something that is read
        try:
            yield
        except BaseException:
            return
        finally:
            sys.stdout, sys.stderr = streams
            random.setstate(states[0])
            numpy.random.set_state(states[1])
            torch.default_generator.set_state(states[2])
