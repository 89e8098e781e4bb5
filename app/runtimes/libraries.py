"""The libraries that a program can import besides the frameworks and Python's standard library. Runs in the runner.

Only libraries that learners are told about are listed. A program can import others too. The server needs these, and they may change.
"""

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from app.protocol.run import Lang

# The distributions by the names under which programs import them. docs/decisions/0026 gives the reasons.
_DISTRIBUTIONS = {
    "numpy": "numpy",
    "matplotlib": "matplotlib",
    "tqdm": "tqdm",
    "torchviz": "torchviz",
    "graphviz": "graphviz",
    "networkx": "networkx",
    "sympy": "sympy",
    "PIL": "pillow",
    "scipy": "scipy",
    "pandas": "pandas",
}
_FRAMEWORKS = ("torch", "jax")  # TensorFlow can be imported only in a run with TensorFlow
_BETWEEN: dict[Lang, str] = {"en": ", ", "zh-Hans": "、"}


@cache
def find_libraries() -> dict[str, str]:
    """Return the versions of the installed libraries, by the names under which programs import them. Imports none of them."""
    return {name: found for name, distribution in _DISTRIBUTIONS.items() if (found := _find_version(distribution))}


def _find_version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


@cache
def libraries_here(lang: Lang) -> str:
    """Return the names of the modules that a program can import besides Python's own."""
    frameworks = [module for module in _FRAMEWORKS if (spec := find_spec(module)) is not None and spec.origin is not None]
    return _BETWEEN[lang].join([*frameworks, *find_libraries()])
