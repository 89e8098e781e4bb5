"""Writes the derivative formulas of PyTorch's backward nodes: `python -m bootstrap.derivative_formulas FILE`.

PyTorch generates the nodes from derivatives.yaml. The torch package has that file, and torchgen's function that reads it, numbers the
nodes, and completes the formulas of views. The module torch is not imported.
"""

import json
import re
import sys
from pathlib import Path

import torchgen
from torchgen.api.autograd import DifferentiabilityInfo
from torchgen.packaged.autograd.load_derivatives import load_derivatives

PACKAGED = Path(torchgen.__file__).parent / "packaged"
FILES = ("autograd/derivatives.yaml", "ATen/native/native_functions.yaml", "ATen/native/tags.yaml")
# Nearly every formula with several results is guarded so.
GUARDED = re.compile(r"grad\.defined\(\) ?\? (?P<formula>.*) : std::(?:tuple|vector)<[^()]*>\(.*\)")
# Namespaces of C++, and the variants of functions for sizes that are symbols.
CPP_ONLY = re.compile(r"\b(?:at|c10)::|_symint(?=\()|(?<=[.>])sym_(?=\w+\()")

Formulas = dict[str, dict[str, str]]


def collect() -> Formulas:
    """Return the formula of each input's gradient, by the type name of the node and the name of the input.

    The inputs have the order of the node's `next_functions`, in which an input that is a list of tensors takes as many places as it has
    tensors. Inputs without a gradient are not in `next_functions`, and not here.
    """
    derivatives, _ = load_derivatives(*(str(PACKAGED / file) for file in FILES))
    nodes = [node for by_dispatch_key in derivatives.values() for node in by_dispatch_key.values()]
    return {node.op: of_node(node) for node in nodes if node.op}


def of_node(node: DifferentiabilityInfo) -> dict[str, str]:
    formulas = {name: derivative.original_formula for derivative in node.derivatives for name in derivative.var_names}
    return {argument.name: shorten(formulas[argument.name]) for argument in node.args_with_derivatives}


def shorten(formula: str) -> str:
    """Return the formula on one line, without what says nothing about the gradient: see GUARDED and CPP_ONLY."""
    line = " ".join(formula.split())
    guarded = GUARDED.fullmatch(line)
    return CPP_ONLY.sub("", guarded["formula"] if guarded else line)


def encode(formulas: Formulas) -> str:
    """Return the formulas as compact JSON. The same torch gives the same bytes."""
    return json.dumps(dict(sorted(formulas.items())), ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(encode(collect()), encoding="utf-8")
