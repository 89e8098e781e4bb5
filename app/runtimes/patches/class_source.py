"""Lets inspect.getsource find a class in the cell that defines it. Installed in the zygote, called in the child.

inspect looks up a class's file by its module, but several cells share the module `__main__`.
"""

import inspect
import re
from typing import Any

from app.runtimes.positions import Sources
from app.runtimes.stand_in import Call, stand_in


class ClassSource:
    """Replaces inspect.getfile."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def install(self) -> None:
        inspect.getfile = stand_in(inspect.getfile, self._file)

    def _file(self, original: Call, item: Any) -> Any:
        if isinstance(item, type) and getattr(item, "__module__", None) == "__main__":
            definition = re.compile(rf"^\s*class\s+{re.escape(item.__name__)}\b", re.MULTILINE)
            for filename, text in self._sources.texts():
                if definition.search(text):
                    return filename
        return original(item)
