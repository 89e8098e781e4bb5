"""DOT text read by Graphviz's own library, in this process. Runs in the child.

Labels are made safe first: Graphviz 14.1.5 corrupts memory when it lays out a label that begins with a newline, which torchviz writes
for every tensor without a name.
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
_NO_MESSAGES = 3  # AGMAX in cgraph.h: nothing is printed to standard error, which is the learner's
_lock = threading.Lock()  # Graphviz's library is not made for several threads

# pygraphviz has no names for the library's settings of its messages.
_library = ctypes.CDLL(pygraphviz._graphviz.__file__)


class DotError(ValueError):
    """Graphviz cannot read the text."""


def install_native_graph() -> None:
    """In the zygote: let the library keep its messages to itself, and know what a node without a label is called."""
    _library.agseterr(_NO_MESSAGES)
    native.gvFreeContext(native.gvContextWithBuiltins())


def make_safe(dot: str) -> str:
    """The same DOT with a space before each line break that begins a string."""
    return _STRING.sub(lambda match: _LEADING_BREAK.sub('" ', match[0]), dot).replace("\0", "")


@contextmanager
def native_graph(dot: str) -> Iterator[Any]:
    """The graph in DOT text as an object of the library, for as long as the block lasts; raises DotError."""
    with _lock, tempfile.TemporaryFile() as file:
        file.write(make_safe(dot).encode("utf-8", "replace"))
        file.seek(0)
        _library.agreseterrors()
        try:
            graph = native.agread(file, None)
        except ValueError:
            graph = None
        if graph is None:  # which agclose would not survive
            raise DotError("syntax error in the DOT text")
        try:
            if _library.agreseterrors():  # it gave up half-way, and answers what it has
                raise DotError("syntax error in the DOT text")
            yield graph
        finally:
            native.agclose(graph)
