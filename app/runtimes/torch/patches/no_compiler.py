"""torch.compile and C++ extensions need a compiler, which a lesson may not start. Installed in the zygote, called in the child."""

from typing import Any

import torch
import torch.utils.cpp_extension

from app.runtimes.patches.no_programs import refuse
from app.runtimes.stand_in import Call, stand_in

_BACKENDS_WITHOUT_COMPILER = ("eager", "aot_eager")


def install_no_compiler() -> None:
    """Let them say so at once, instead of after seconds of preparation."""
    torch.compile = stand_in(torch.compile, _compile)
    for name in ("load", "load_inline"):
        setattr(torch.utils.cpp_extension, name, stand_in(getattr(torch.utils.cpp_extension, name), _load))


def _compile(original: Call, *args: Any, **kwargs: Any) -> Any:
    if kwargs.get("disable") is True or kwargs.get("backend") in _BACKENDS_WITHOUT_COMPILER:
        return original(*args, **kwargs)
    raise refuse("torch.compile", "it needs a C++ compiler")


def _load(original: Call, *_: Any, **__: Any) -> Any:
    raise refuse(f"torch.utils.cpp_extension.{original.__name__}", "it needs a C++ compiler")
