"""Fixed random numbers: the same source with the same seed gives the same result. Runs in the child."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy
import torch


def seed_all(seed: int) -> None:
    """Seed random, numpy and PyTorch. `seed` is in 0 … 2**32 - 1.

    PyTorch's generator is seeded directly: torch.manual_seed would also queue calls for accelerators that are not there.
    """
    random.seed(seed)
    numpy.random.seed(seed)
    torch.default_generator.manual_seed(seed)


@contextmanager
def restored_generator() -> Iterator[None]:
    """What is drawn from PyTorch's generator within the block is drawn again after it."""
    state = torch.default_generator.get_state()
    try:
        yield
    finally:
        torch.default_generator.set_state(state)
