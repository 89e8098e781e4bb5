"""Which modules may be used where a name is banned, PyTorch's and others. Runs in the grader's child, which has torch.

Others have functions that call autograd for their caller (torch.distributions, torch.distributed), or that take names as text (torch.ao,
tqdm.utils). They are too many to be read, and each version has new ones, so what may be used is listed, and not what may not.
"""

import importlib
import importlib.util
import pkgutil
from contextlib import suppress
from types import ModuleType

import torch
from torch._ops import OpOverloadPacket

from app.runtimes.torch.grading.source_rules.reaching_names import MODULES

ALLOWED = (
    "torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.parameter", "torch.linalg", "torch.special", "torch.fft",
    "torch.autograd", "torch.autograd.function", "torch.autograd.functional", "torch.autograd.forward_ad", "torch.autograd.graph",
    "torch.func", "torch.functional", "torch.optim", "torch.testing", "torch.random", "torch.version", "torch.cuda", "torch.utils",
    "torch.utils.checkpoint",
)  # fmt: skip

# Below those modules that may be imported.
ALLOWED_ELSEWHERE = (
    "collections.abc", "matplotlib.pyplot", "numpy.exceptions", "numpy.fft", "numpy.lib", "numpy.lib.stride_tricks", "numpy.linalg",
    "numpy.ma", "numpy.polynomial", "numpy.polynomial.polynomial", "numpy.random", "numpy.testing", "numpy.typing", "torchviz.dot",
    "tqdm.auto",
)  # fmt: skip
_LISTED = MODULES | {*ALLOWED, *ALLOWED_ELSEWHERE}


def is_listed(name: str) -> bool:
    """Whether a dotted name stands for a module that may be used, if its last "torch" is PyTorch."""
    return from_torch(name) in _LISTED


def is_refused(name: str) -> bool:
    """Whether a dotted name stands for a module in a listed one, and is not listed, if its last "torch" is PyTorch."""
    return not is_listed(name) and _is_module(from_torch(name))


def names_in(module: str) -> list[str]:
    """What `from module import *` takes from a listed module, if it is installed."""
    found = _import(module)
    return [] if found is None else list(getattr(found, "__all__", [name for name in vars(found) if not name.startswith("_")]))


def _import(name: str) -> ModuleType | None:
    if name in _LISTED:
        with suppress(Exception):  # it may not be installed
            return importlib.import_module(name)
    return None


def from_torch(name: str) -> str:
    """A dotted name from its last "torch" on: modules hold others, as in torchviz.dot.torch."""
    parts = name.split(".")
    return ".".join(parts[len(parts) - 1 - parts[::-1].index("torch") :]) if "torch" in parts else name


def _is_module(name: str) -> bool:
    base, _, last = name.rpartition(".")
    parent = _import(base)
    if parent is None:
        return False
    if last in vars(parent):
        return isinstance(vars(parent)[last], ModuleType)
    return hasattr(parent, "__path__") and importlib.util.find_spec(name) is not None


def _modules_in(package: ModuleType) -> set[str]:
    held = {name for name, value in vars(package).items() if isinstance(value, ModuleType)}
    return held | {found.name for found in pkgutil.iter_modules(package.__path__)}


# What is refused as an attribute of something that may be torch or torch.nn. What tensors and layers have by these names is allowed.
REFUSED_ATTRIBUTES = {
    name
    for name in (_modules_in(torch) | _modules_in(torch.nn)) - {allowed.rpartition(".")[2] for allowed in ALLOWED} | {"utils"}
    if not hasattr(torch.Tensor, name) and not hasattr(torch.nn.Module, name)
}
# Of the type of these any operator can be made, by a name that is text.
OPERATORS = {name for name, value in vars(torch).items() if isinstance(value, OpOverloadPacket)}
