"""PyTorch's names that a learner of autograd writes, each with its page in PyTorch's public documentation.

The installed package does not say which names have a page. A rule decides: PyTorch's tests demand a page for every public function
with a docstring.
"""

import inspect
import re
from importlib import import_module
from importlib.metadata import version
from typing import Any

import torch
import torchviz

from bootstrap.reference import docstring, torch_pages
from bootstrap.reference.entry import Entry, describe
from bootstrap.reference.stubs import stub_signatures

NOTE = "notes/extending.html"
SITES = {"torch": "https://docs.pytorch.org/docs/stable/", "torchviz": "https://github.com/szagoruyko/"}
MODULES = (
    "torch",
    "torch.autograd",
    "torch.autograd.forward_ad",
    "torch.autograd.function",
    "torch.autograd.functional",
    "torch.autograd.graph",
    "torch.fft",
    "torch.func",
    "torch.linalg",
    "torch.nn",
    "torch.nn.functional",
    "torch.nn.init",
    "torch.optim",
    "torch.optim.lr_scheduler",
    "torch.special",
    "torch.testing",
    "torch.utils",
    "torch.utils.checkpoint",
)
CLASSES = {
    "torch.Tensor": torch.Tensor,
    "torch.autograd.Function": torch.autograd.Function,
    "torch.autograd.function.FunctionCtx": torch.autograd.function.FunctionCtx,
    "torch.nn.Module": torch.nn.Module,
    "torch.optim.Optimizer": torch.optim.Optimizer,
}
FUNCTION_METHODS = ("backward", "forward", "jvp", "setup_context", "vmap")
# Names without a docstring, or that the documentation lists under a class whose attribute they are not.
BY_HAND = {
    "torch.autograd.Function": {
        "apply": Entry(
            "method", ("(*args, **kwargs)",), "Runs forward on the arguments and records the node whose backward is this class's.", NOTE
        ),
    },
    "torch.autograd.function": {
        "once_differentiable": Entry(
            "function", ("(fn)",), "Decorator of a backward that cannot be differentiated itself: doing so raises an error.", "="
        ),
    },
    "torch.autograd.function.FunctionCtx": {
        "needs_input_grad": Entry(
            "property", (), "A tuple of booleans: for each argument of forward, whether its gradient is needed.", NOTE
        ),
        "saved_tensors": Entry("property", (), "The tensors that were given to save_for_backward, as a tuple.", NOTE),
    },
    "torch.Tensor": {
        "data": Entry("property", (), "The same values without their history; detach() is the safe way to them."),
        "dtype": Entry("property", (), "The data type of the elements.", "tensor_attributes.html#torch.dtype"),
        "grad_fn": Entry("property", (), "The node of the backward graph that made this tensor, None for a leaf.", "autograd.html"),
        "relu": Entry("method", ("() -> Tensor",), "Applies the rectified linear unit function element-wise."),
    },
    "torch": {
        "Generator": Entry("class", ("(device='cpu')",), "The state of a random number generator.", "="),
        "Size": Entry("class", ("(sizes)",), "The shape of a tensor, a kind of tuple.", "size.html"),
        "device": Entry("class", ("(type, index=None)",), "Where a tensor is kept.", "tensor_attributes.html#torch.device"),
        "dtype": Entry("class", (), "The data type of a tensor's elements.", "tensor_attributes.html#torch.dtype"),
        "finfo": Entry("class", ("(dtype)",), "The limits of a floating-point type.", "type_info.html#torch.finfo"),
        "iinfo": Entry("class", ("(dtype)",), "The limits of an integer type.", "type_info.html#torch.iinfo"),
    },
}
CHECKS = ("gradcheck", "gradgradcheck")
CLASSES_OF_TORCH = {"OutOfMemoryError", "Tensor", "autocast", "enable_grad", "inference_mode", "no_grad", "set_grad_enabled"}
RARE_TYPES = re.compile(r"bit|q|u?int[1-7]$|float[48]_")
NOT_FOR_PROGRAMS = re.compile(r"\w*torch_function|assert_int_or_pair$|boolean_dispatch$|factory_kwargs$|ScalingType$|SwizzleType$")


def versions() -> dict[str, str]:
    return {"torch": version("torch").partition("+")[0], "torchviz": version("torchviz")}


def collect() -> dict[str, dict[str, Entry]]:
    """Return the entries of each module and class, by the dotted name of the module or class."""
    found = {path: of_module(path) for path in MODULES} | {path: of_class(path, value) for path, value in CLASSES.items()}
    found["torch.autograd.gradcheck"] = {name: found["torch.autograd"][name] for name in CHECKS}
    for path, names in BY_HAND.items():
        found[path] |= names
    found["torchviz"] = {"make_dot": describe(torchviz.make_dot, "pytorchviz")}
    return {path: {name: follow(entry, found) for name, entry in names.items()} for path, names in found.items()}


def of_module(path: str) -> dict[str, Entry]:
    """Return the entries of a module's public names. These include its modules and classes in MODULES and CLASSES."""
    module = import_module(path)
    entries = {}
    for name in {*(getattr(module, "__all__", None) or dir(module)), *(CLASSES_OF_TORCH if path == "torch" else ())}:
        value = getattr(module, name, None)
        if not name.startswith("_") and is_wanted(path, name, value):
            entries[name] = describe(value, torch_pages.find(path, name, value))
            if not entries[name].signatures and callable(value):
                entries[name] = entries[name]._replace(signatures=stub_signatures(name) if path == "torch" else ())
    for child in (*MODULES, *CLASSES):
        parent, _, name = child.rpartition(".")
        if parent == path and name not in entries:
            entries[name] = describe(getattr(module, name), torch_pages.find(path, name, getattr(module, name)))
    return entries


def of_class(path: str, value: type) -> dict[str, Entry]:
    """Return the entries of a class's documented methods and attributes. Of torch.autograd.Function, only FUNCTION_METHODS are taken."""
    names = FUNCTION_METHODS if value is torch.autograd.Function else [name for name in dir(value) if not name.startswith("_")]
    return {
        name: describe(getattr(value, name), torch_pages.of_member(path, name), method=True)
        for name in names
        if docstring.of(getattr(value, name, None)) or value is torch.autograd.Function
    }


def is_wanted(path: str, name: str, value: Any) -> bool:
    """Return whether the reference has this name of a module: a module in MODULES, or a documented class or function of PyTorch.

    Names of functions in nn.functional need no documentation. The module torch has data types and numbers too, but few classes.
    """
    if inspect.ismodule(value):
        return f"{path}.{name}" in MODULES
    if path == "torch.utils" or NOT_FOR_PROGRAMS.match(name) or value is None:
        return False
    if (inspect.getmodule(value) or torch).__name__.partition(".")[0] != "torch" or getattr(value, "__module__", "") == "typing":
        return False
    if isinstance(value, type):
        return bool(docstring.of(value)) and (path != "torch" or name in CLASSES_OF_TORCH)
    if callable(value):
        return bool(docstring.summarize(docstring.of(value))) or hasattr(torch.nn.functional, name)
    return path == "torch" and isinstance(value, (torch.dtype, float)) and not RARE_TYPES.match(name)


def follow(entry: Entry, found: dict[str, dict[str, Entry]]) -> Entry:
    """Return the entry. If its summary is only "See torch.sinh", it gets the summary of torch.sinh."""
    while entry.summary.startswith("See torch."):
        path, _, name = entry.summary.removeprefix("See ").rstrip(".").removesuffix("()").rpartition(".")
        target = found.get(path, {}).get(name)
        if target is None or target.summary == entry.summary:
            break
        entry = entry._replace(summary=target.summary)
    return entry
