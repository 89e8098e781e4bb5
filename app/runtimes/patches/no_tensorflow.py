"""Refuse to import TensorFlow in a run of another framework. Installed in the zygote, called in the child.

There a run has neither the memory to map its libraries nor the threads that its first operation starts: the import would fail, or the
process would end by a signal. PyTorch and JAX can be imported in every run.
"""

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

_MODULE = "tensorflow"
_MESSAGE = (
    f"{_MODULE} is not available here: it has to be loaded before a run begins"  # explained: runner/stumbles/here/tensorflow-elsewhere
)


class _Refusal(MetaPathFinder, Loader):
    """Finds the module, so that who only looks for it learns what there is, and raises when it is imported."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname == _MODULE else None

    def exec_module(self, module: ModuleType) -> None:
        raise ImportError(_MESSAGE, name=_MODULE)


def install_no_tensorflow() -> None:
    """Let the import raise an ImportError that says why, whether TensorFlow is installed or not."""
    sys.meta_path.insert(0, _Refusal())
