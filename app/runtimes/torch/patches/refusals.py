"""Errors that say at once that torch.compile, C++ extensions and a DataLoader's workers need other programs.

Installed in the zygote, called in the child.
"""

from typing import Any

import torch
import torch.utils.cpp_extension
from torch.utils.data import DataLoader

from app.runtimes.patches.refusals import refuse
from app.runtimes.stand_in import Call, stand_in

_BACKENDS_WITHOUT_COMPILER = ("eager", "aot_eager")


def install_torch_refusals() -> None:
    """Let torch.compile, C++ extensions and a DataLoader with workers raise at once.

    Otherwise the first two would raise after seconds of preparation, and the DataLoader would fail half made.
    """
    torch.compile = stand_in(torch.compile, _compile)
    for name in ("load", "load_inline"):
        setattr(torch.utils.cpp_extension, name, stand_in(getattr(torch.utils.cpp_extension, name), _load))
    DataLoader._get_iterator = stand_in(DataLoader._get_iterator, _iterate)  # type: ignore[method-assign]


def _compile(original: Call, *args: Any, **kwargs: Any) -> Any:
    if kwargs.get("disable") is True or kwargs.get("backend") in _BACKENDS_WITHOUT_COMPILER:
        return original(*args, **kwargs)
    raise refuse("torch.compile", "it needs a C++ compiler")


def _load(original: Call, *_: Any, **__: Any) -> Any:
    raise refuse(f"torch.utils.cpp_extension.{original.__name__}", "it needs a C++ compiler")


def _iterate(original: Call, loader: "DataLoader[Any]") -> Any:
    if loader.num_workers:
        raise refuse(f"DataLoader(num_workers={loader.num_workers})", "its workers are processes (num_workers=0 needs none)")
    return original(loader)
