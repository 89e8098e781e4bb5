"""The libraries that a program can import, as an explanation of an error lists them."""

from functools import cache
from importlib.util import find_spec

from app.protocol.run import Lang
from app.runtimes.libraries import find_libraries

_FRAMEWORKS = ("torch", "jax")  # TensorFlow can be imported only in a run with TensorFlow
_BETWEEN: dict[Lang, str] = {"en": ", ", "zh-Hans": "、"}


@cache
def libraries_here(lang: Lang) -> str:
    """Return the names of the modules that a program can import besides Python's own."""
    frameworks = [module for module in _FRAMEWORKS if (spec := find_spec(module)) is not None and spec.origin is not None]
    return _BETWEEN[lang].join([*frameworks, *find_libraries()])
