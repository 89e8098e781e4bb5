"""Reads DOT text with Graphviz's own library, in this process. Runs in the child.

Labels are changed first: Graphviz 14.1.5 corrupts memory when it lays out a label that begins with a newline, as torchviz writes for
every tensor without a name.
"""

import ctypes
import re
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pygraphviz._graphviz
import pygraphviz.graphviz as native

_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_LEADING_BREAK = re.compile(r'^"(?=\\[nlr]|[\r\n])')
_NO_MESSAGES = 3  # AGMAX in cgraph.h: print nothing to standard error, which is the learner's
_lock = threading.Lock()  # Graphviz's library is not thread-safe

# pygraphviz does not wrap agseterr and agreseterrors.
_library = ctypes.CDLL(pygraphviz._graphviz.__file__)


class DotError(ValueError):
    """Graphviz cannot read the text, or refuses the layout or the format. The message is what `dot` would print."""


def install_native_graph() -> None:
    """Silence the library's messages, and create a context once: this sets the default label of nodes. Runs in the zygote."""
    _library.agseterr(_NO_MESSAGES)
    native.gvFreeContext(native.gvContextWithBuiltins())


@contextmanager
def native_graph(dot: str) -> Iterator[Any]:
    """Within the block, provide the graph in a DOT text as an object of the library. Raises DotError."""
    with _lock, tempfile.TemporaryFile() as file:
        safe = _STRING.sub(lambda match: _LEADING_BREAK.sub('" ', match[0]), dot).replace("\0", "")
        file.write(safe.encode("utf-8", "replace"))
        file.seek(0)
        _library.agreseterrors()
        try:
            graph = native.agread(file, None)
        except ValueError:
            graph = None
        if graph is None:  # agclose would crash
            raise DotError("Error: syntax error in the DOT text")
        try:
            if _library.agreseterrors():  # it stopped at an error and returned what it had read
                raise DotError("Error: syntax error in the DOT text")
            yield graph
        finally:
            native.agclose(graph)
