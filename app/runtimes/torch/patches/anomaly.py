"""Shortens the stacks that detect_anomaly shows: they begin at the program's first line, not in the zygote.

Installed in the zygote. PyTorch's C++ code (torch/csrc/autograd/python_anomaly_mode.cpp) looks the function up by name and calls it in the
child.
"""

import functools
import traceback

import torch.fx.traceback

from app.runtimes.positions import Sources


def install_anomaly(sources: Sources) -> None:
    """Let the stacks that anomaly mode stores begin at the first frame of the program."""
    original = torch.fx.traceback.format_stack

    @functools.wraps(original)
    def format_stack() -> list[str]:
        if torch.fx.traceback.has_preserved_node_meta():
            return original()
        stack = traceback.extract_stack()[:-1]
        first = next((index for index, frame in enumerate(stack) if frame.filename in sources), 0)
        return traceback.format_list(stack[first:])

    torch.fx.traceback.format_stack = format_stack
