"""Finds the names that a program gives to its tensors. Runs in the child."""

from collections.abc import Iterator
from types import FrameType
from typing import Any

import torch

from app.runtimes.plain_text import NAME_CHARACTERS, plain
from app.runtimes.positions import Sources
from app.runtimes.torch.tensors import is_tensor

DEPTH = 8  # how deep modules in modules are read


def variable_names(sources: Sources, frame: FrameType | None) -> dict[int, str]:
    """Return names of tensors by identity: those of global variables, and of the parameters of modules in such variables.

    Local variables of functions are not read: Python would keep their values alive until the function ends.
    """
    names: dict[int, str] = {}
    for name, value in sources.global_variables(frame):
        for path, tensor in tensors_of(name, value):
            names.setdefault(id(tensor), plain(path, NAME_CHARACTERS))
    return names


def tensors_of(name: str, value: Any, depth: int = DEPTH) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield a tensor and its name, or those of a module's parameters, as in `net.weight`. Calls nothing that a learner may have defined."""
    if is_tensor(value):
        yield name, value
    elif issubclass(type(value), torch.nn.Module) and depth:
        fields = object.__getattribute__(value, "__dict__")
        for part in ("_parameters", "_modules"):
            for key, inner in list(fields.get(part, {}).items()):
                yield from tensors_of(f"{name}.{key}", inner, depth - 1)
