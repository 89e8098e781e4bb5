"""A call of a custom Function that is to be examined."""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch

ReadSource = Callable[[str], str | None]
"""Returns the text of a source file by the name under which it was compiled; None if it is not the learner's."""


class ApplyCall(NamedTuple):
    """A call. `arguments`: those of `apply`, in copies that belong to the probes. A tensor that needs a gradient is a leaf."""

    function: type[torch.autograd.Function]
    arguments: tuple[Any, ...]
