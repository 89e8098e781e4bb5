"""Finds the pages of PyTorch's documentation. Sphinx usually makes a page for each function, class and method, named after it."""

from typing import Any

import torch

from bootstrap.reference import docstring

# Modules whose functions are all on one page.
ONE_PAGE = {"torch.fft": "fft.html", "torch.nn.init": "nn.init.html", "torch.special": "special.html", "torch.testing": "testing.html"}
ON_PAGES = {
    "torch.autograd.Function": "autograd.html#torch.autograd.Function",
    "torch.autograd.gradcheck": "generated/torch.autograd.gradcheck.gradcheck.html#torch.autograd.gradcheck.gradcheck",
    "torch.autograd.gradgradcheck": "generated/torch.autograd.gradcheck.gradgradcheck.html#torch.autograd.gradcheck.gradgradcheck",
    "torch.autograd.function.FunctionCtx": "autograd.html#torch.autograd.function.FunctionCtx",
    "torch.Tensor": "tensors.html#torch.Tensor",
    "torch.optim.Optimizer": "optim.html#torch.optim.Optimizer",
    "torch.utils.checkpoint": "checkpoint.html",
    "torch.nn.Parameter": "generated/torch.nn.parameter.Parameter.html#torch.nn.parameter.Parameter",
    "torch.nn.Buffer": "generated/torch.nn.parameter.Buffer.html#torch.nn.parameter.Buffer",
    "torch.nn.UninitializedParameter": "generated/torch.nn.parameter.UninitializedParameter.html#torch.nn.parameter.UninitializedParameter",
    "torch.nn.UninitializedBuffer": "generated/torch.nn.parameter.UninitializedBuffer.html#torch.nn.parameter.UninitializedBuffer",
    "torch.OutOfMemoryError": "",
    "torch.autocast": "amp.html#torch.autocast",
    "torch.nn.functional": "nn.functional.html",
    "torch.nn.init": "nn.init.html",
}
WITHOUT_PAGE = {
    "torch.utils",
    "torch.autograd.forward_ad",
    "torch.autograd.function",
    "torch.autograd.functional",
    "torch.autograd.graph",
    "torch.optim.lr_scheduler",
}
# Members whose methods are on the page of their class.
WHOLE_CLASSES = {"torch.nn.Module": "generated/torch.nn.Module.html#torch.nn.Module"}


def find(path: str, name: str, value: Any) -> str:
    """Return the page, as Entry.page, of the name `name` in the module `path`; "" if there is none."""
    full = f"{path}.{name}"
    if full in ON_PAGES or full in WITHOUT_PAGE:
        return ON_PAGES.get(full, "")
    if isinstance(value, type(torch)):
        return f"{full.removeprefix('torch.')}.html"
    if isinstance(value, torch.dtype):
        return "tensor_attributes.html#torch.dtype"
    if not docstring.of(value):
        return ""
    if path in ONE_PAGE:
        return f"{ONE_PAGE[path]}#{full}"
    if path == "torch" and getattr(torch.nn.functional, name, None) is value:
        return f"generated/torch.nn.functional.{name}.html#torch.nn.functional.{name}"
    if path == "torch.utils.checkpoint":
        return f"checkpoint.html#{full}"
    if path == "torch.autograd.graph":
        return f"autograd.html#{full}"
    if isinstance(value, type) and value.__module__ == "torch.autograd.grad_mode":
        home = "torch" if name in ("enable_grad", "no_grad") else value.__module__
        return f"generated/{home}.{name}.html#{home}.{name}"
    if path == "torch.autograd" and name in ("detect_anomaly", "set_detect_anomaly"):
        return f"autograd.html#{full}"
    return "="


def of_member(path: str, name: str) -> str:
    """Return the page, as Entry.page, of the method or attribute `name` of the class `path`."""
    if path in WHOLE_CLASSES:
        return f"{WHOLE_CLASSES[path]}.{name}"
    if path == "torch.autograd.Function" and name not in ("forward", "backward", "jvp", "vmap"):
        return "notes/extending.html"
    return "="
