"""Which of PyTorch's modules may be used where a name is banned. Runs in the grader's child, which has torch.

Others have functions that call autograd for their caller (torch.distributions, torch.distributed), or that take names as text (torch.ao).
They are too many to be read, and each version has new ones, so what may be used is listed, and not what may not.
"""

import importlib.util
import pkgutil
import sys
from types import ModuleType

import torch

ALLOWED = (
    "torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.parameter", "torch.linalg", "torch.special", "torch.fft",
    "torch.autograd", "torch.autograd.function", "torch.autograd.functional", "torch.autograd.forward_ad", "torch.autograd.graph",
    "torch.func", "torch.functional", "torch.optim", "torch.testing", "torch.random", "torch.version", "torch.cuda", "torch.utils",
    "torch.utils.checkpoint",
)  # fmt: skip


def is_refused(name: str) -> bool:
    """Whether a dotted name stands for a module that may not be used, if its last "torch" is PyTorch."""
    name = from_torch(name)
    return name not in ALLOWED and _is_module(name)


def from_torch(name: str) -> str:
    """A dotted name from its last "torch" on: modules hold others, as in torchviz.dot.torch."""
    parts = name.split(".")
    return ".".join(parts[len(parts) - 1 - parts[::-1].index("torch") :]) if "torch" in parts else name


def _is_module(name: str) -> bool:
    base, _, last = name.rpartition(".")
    parent = sys.modules.get(base)
    if parent is None or not name.startswith("torch."):
        return False
    if last in vars(parent):
        return isinstance(vars(parent)[last], ModuleType)
    return name in sys.modules or (hasattr(parent, "__path__") and importlib.util.find_spec(name) is not None)


def _modules_in(package: ModuleType) -> set[str]:
    held = {name for name, value in vars(package).items() if isinstance(value, ModuleType)}
    return held | {found.name for found in pkgutil.iter_modules(package.__path__)}


# What is refused as an attribute of something that may be torch or torch.nn. What tensors and layers have by these names is allowed.
REFUSED_ATTRIBUTES = {
    name
    for name in (_modules_in(torch) | _modules_in(torch.nn)) - {allowed.rpartition(".")[2] for allowed in ALLOWED} | {"utils"}
    if not hasattr(torch.Tensor, name) and not hasattr(torch.nn.Module, name)
}
