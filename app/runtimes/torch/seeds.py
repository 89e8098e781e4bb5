"""Seeds and restores random generators: the same source with the same seed gives the same result. Runs in the child."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy
import torch


def seed_all(seed: int) -> None:
    """Seed Python, numpy and PyTorch. `seed` is in 0 … 2**32 - 1.

    torch.manual_seed is not used because it also queues calls for accelerators, which do not exist here.
    """
    random.seed(seed)
    numpy.random.seed(seed)
    torch.default_generator.manual_seed(seed)


@contextmanager
def restored_generator() -> Iterator[None]:
    """After the block, restore the state of PyTorch's generator."""
    state = torch.default_generator.get_state()
    try:
        yield
    finally:
        torch.default_generator.set_state(state)
