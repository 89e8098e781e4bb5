"""Replaces the `dot` command: graphviz's pipe, render and repr lay graphs out in this process, by pygraphviz.

Installed in the zygote, called in the child, which may not start programs.
"""

import os
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import graphviz
import pygraphviz.graphviz as native
from graphviz.backend import execute, viewing

from app.runtimes.torch.native_graph import DotError, install_native_graph, native_graph

VERSION = f"{native.GRAPHVIZ_MAJOR_VERSION}.{native.GRAPHVIZ_MINOR_VERSION}.{native.GRAPHVIZ_PATCH_VERSION}"

_PACKAGE = str(Path(graphviz.__file__).parent)


def draw(dot: str, engine: str, output_format: str) -> bytes:
    """Lay out a DOT text and return it rendered in `output_format`. Raises DotError."""
    context = native.gvContextWithBuiltins()
    try:
        with native_graph(dot) as graph:
            return _rendered(context, graph, engine, output_format)
    finally:
        native.gvFreeContext(context)


def _rendered(context: Any, graph: Any, engine: str, output_format: str) -> bytes:
    if native.gvLayout(context, graph, engine.encode()):
        raise DotError(f'Error: layout type: "{engine}" not recognized')
    try:
        rendered = native.gvRenderData(context, graph, output_format.encode())
        if not isinstance(rendered, (list, tuple)) or rendered[0]:  # the error code, or the code and the data
            raise DotError(f'Format: "{output_format}" not recognized')
    finally:
        native.gvFreeLayout(context, graph)
    return bytes(rendered[1])


def run_check(
    cmd: Sequence[Any],
    *,
    input_lines: Iterator[Any] | None = None,
    encoding: str | None = None,
    quiet: bool = False,
    cwd: Any = None,
    **options: Any,
) -> "subprocess.CompletedProcess[Any]":
    """The replacement for graphviz.backend.execute.run_check: do what the `dot` command would do."""
    words = [os.fspath(word) for word in cmd]
    if words[1:] == ["-V"]:
        return subprocess.CompletedProcess(words, 0, stdout=f"dot - graphviz version {VERSION} (in process)\n", stderr=None)
    if words[0] != "dot":
        raise execute.ExecutableNotFound(words)
    text: str | bytes | None = options.get("input")
    if input_lines is not None:
        text = ("" if encoding else b"").join(input_lines)
    try:
        output = _dot(words[1:], text, Path(cwd or "."))
    except DotError as failure:
        message = f"{failure}\n"
        raise execute.CalledProcessError(1, words, b"", message if encoding else message.encode()) from None
    return subprocess.CompletedProcess(words, 0, stdout=output.decode(encoding) if encoding else output, stderr="" if encoding else b"")


def _dot(options: list[str], text: str | bytes | None, folder: Path) -> bytes:
    """Do what `dot -Kengine -Tformat [-O | -o outfile] [file]` does. Return what it writes to standard output."""
    engine = next((option[2:] for option in options if option.startswith("-K")), "dot")
    output_format = next((option[2:] for option in options if option.startswith("-T")), "dot")
    if text is None:
        text = (folder / options[-1]).read_bytes()
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    picture = draw(text, engine, output_format)
    if "-O" in options:
        # dot's own naming: the parts of format:renderer:formatter in reverse order.
        (folder / f"{options[-1]}.{'.'.join(reversed(output_format.split(':')))}").write_bytes(picture)
        return b""
    if "-o" in options:
        (folder / options[options.index("-o") + 1]).write_bytes(picture)
        return b""
    return picture


def view(filepath: Any, *_: Any, **__: Any) -> None:
    """The replacement for graphviz's viewers: warn that nothing can be opened here."""
    message = f"{os.fspath(filepath)} was written, but there is no screen here to open it on"
    warnings.warn(message, UserWarning, stacklevel=_level_outside(_PACKAGE))


def _level_outside(folder: str) -> int:
    """Return the stacklevel with which a warning of the caller points at the innermost frame outside `folder`."""
    level, frame = 2, sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(folder):
        level, frame = level + 1, frame.f_back
    return level


def install_drawing() -> None:
    """Replace what graphviz calls to run `dot` and to open a viewer."""
    install_native_graph()
    execute.run_check = run_check
    for platform in ("darwin", "linux", "freebsd", "windows"):
        setattr(viewing.view, platform, view)
        for kind in (graphviz.Graph, graphviz.Digraph, graphviz.Source):
            setattr(kind, f"_view_{platform}", staticmethod(view))
