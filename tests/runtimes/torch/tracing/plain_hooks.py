"""An independent observer: runs programs as plain Python, and reports what its own hooks and PyTorch's anomaly mode see.

`python plain_hooks.py` reads {name: program} from stdin and writes {name: what was seen}. Each program runs in a process of its own. It
imports nothing of the app. A pass is a list of steps: the node, its type, what it received and what it sent, and a leaf's `.grad` after it.
A line is that of the program's innermost frame when a node was recorded, which anomaly mode stores in the node's metadata.
"""

import contextlib
import io
import json
import math
import os
import random
import re
import sys
from collections.abc import Iterable
from typing import Any

import numpy
import torch
import torch.autograd.graph
import torchviz

ENTRIES = 256
LINE = re.compile(r'File "<source>", line (\d+)')
engine = torch.autograd.graph._engine_run_backward


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, complex):
        return [plain(value.real), plain(value.imag)]
    value = float(value)
    return value if math.isfinite(value) else str(value)


def seen(grad: Any) -> Any:
    if not isinstance(grad, torch.Tensor):
        return None
    grad = grad.detach()
    values = None
    with contextlib.suppress(RuntimeError):  # within a transform of torch.func it has no entries of its own
        values = plain(grad.tolist()) if grad.numel() <= ENTRIES else None
    return {"shape": list(grad.shape), "values": values}


def is_of_gradcheck(frame: Any) -> bool:
    return frame is not None and (frame.f_code.co_filename.endswith("gradcheck.py") or is_of_gradcheck(frame.f_back))


def walk(roots: Iterable[Any]) -> list[Any]:
    waiting, found = [root for root in roots if root is not None], dict[Any, None]()
    while waiting:
        node = waiting.pop()
        if node not in found:
            found[node] = None
            waiting += [following for following, _ in node.next_functions if following is not None]
    return list(found)


class Observer:
    def __init__(self) -> None:
        self.first = torch._C._autograd._get_sequence_nr()
        self.passes: list[Any] = []
        self.lines: dict[str, list[Any]] = {}
        self.busy = False

    def id(self, node: Any) -> str:
        return f"leaf {id(node.variable)}" if type(node).__name__ == "AccumulateGrad" else f"n{node._sequence_nr() - self.first}"

    def read_lines(self, roots: Iterable[Any]) -> None:
        for node in walk(roots):
            stack = "".join(node.metadata.get("traceback_", []))
            if found := LINE.findall(stack):
                self.lines[self.id(node)] = [type(node).__name__, int(found[-1])]

    def run(self, outputs: Any, grads: Any, *args: Any, **kwargs: Any) -> Any:
        if self.busy or is_of_gradcheck(sys._getframe()):
            return engine(outputs, grads, *args, **kwargs)
        edges = [(each.grad_fn, each.output_nr) if isinstance(each, torch.Tensor) else (each.node, each.output_nr) for each in outputs]
        steps: list[Any] = []
        open_steps: dict[str, Any] = {}
        handles: list[Any] = []
        terms: dict[tuple[str, int], list[Any]] = {}
        for (node, output), grad in zip(edges, grads, strict=True):
            if node is not None:
                terms.setdefault((self.id(node), output), []).append(seen(grad))
        self.read_lines(node for node, _ in edges)

        def watch(node: Any) -> None:
            name = self.id(node)

            def before(received: Any) -> None:
                sums = [[number, terms[name, number]] for number in range(len(received)) if len(terms.get((name, number), [])) > 1]
                step = {"node": name, "label": type(node).__name__, "received": list(map(seen, received)), "sums": sums, "sent": None}
                steps.append(step)
                open_steps[name] = step

            def after(sent: Any, _: Any) -> None:
                open_steps[name]["sent"] = list(map(seen, sent))
                for (following, output), grad in zip(node.next_functions, sent, strict=False):
                    if following is not None and grad is not None:
                        terms.setdefault((self.id(following), output), []).append(seen(grad))
                if name.startswith("leaf"):
                    open_steps[name]["grad"] = seen(node.variable.grad)

            handles.extend([node.register_prehook(before), node.register_hook(after)])

        for node in walk(node for node, _ in edges):
            watch(node)
        self.busy = True
        try:
            return engine(outputs, grads, *args, **kwargs)
        finally:
            self.busy = False
            for handle in handles:
                handle.remove()
            self.passes.append(steps)


def observe(text: str) -> Any:
    random.seed(0)
    numpy.random.seed(0)
    torch.manual_seed(0)
    torch.set_num_threads(1)
    torch.autograd.set_detect_anomaly(True, check_nan=False)
    observer = Observer()
    torch.autograd._engine_run_backward = observer.run  # type: ignore[attr-defined]  # imported from torch.autograd.graph
    make_dot = torchviz.make_dot

    def make_dot_after_reading(var: Any, *args: Any, **kwargs: Any) -> Any:
        drawn = var if isinstance(var, (list, tuple)) else var.values() if isinstance(var, dict) else [var]
        observer.read_lines(each.grad_fn for each in drawn)
        return make_dot(var, *args, **kwargs)

    torchviz.make_dot = make_dot_after_reading
    names = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
        exec(compile(text, "<source>", "exec"), names)
    observer.read_lines([value.grad_fn for value in list(names.values()) if isinstance(value, torch.Tensor)])
    return {"passes": observer.passes, "lines": observer.lines}


def in_a_fork(text: str) -> Any:
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(source)
        with os.fdopen(sink, "w") as pipe:
            json.dump(observe(text), pipe)
        os._exit(0)
    os.close(sink)
    with os.fdopen(source) as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return json.loads(answer)


if __name__ == "__main__":
    json.dump({name: in_a_fork(text) for name, text in json.load(sys.stdin).items()}, sys.stdout)
