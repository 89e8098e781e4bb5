"""Walks the graph behind some outputs from node to node, and models what torchviz would draw, in torchviz's order. Runs in the child.

torchviz recurses, so 1,000 chained operations are too many for it. It also fails at saved tensors that a backward has freed. This walk is
iterative, and leaves freed tensors out. It also leaves out saved tensors that a learner's hook would have to unpack, because the program
would see the call of its hook. Written against torchviz 0.0.3's dot.py.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal

import torch
from torchviz.dot import SAVED_PREFIX, get_fn_name

from app.protocol.records.graph import NodeKind
from app.runtimes.torch.identities import sequence_of
from app.runtimes.torch.instruments.graph_model import GraphModel
from app.runtimes.torch.tensors import grad_fn_of, is_tensor, read_field

Role = Literal["input", "output"]
Origin = tuple[object, ...]
_PARAMETERS = ("var", "params", "show_attrs", "show_saved", "max_attr_chars")


class GraphWalk:
    """The walk for one call of make_dot. Arguments that torchviz refuses are accepted, and the walk uses the tensors in them."""

    def __init__(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        options = {"max_attr_chars": 50, **dict(zip(_PARAMETERS, args, strict=False)), **kwargs}
        self.model = GraphModel()
        named = named_tensors(options.get("params"))
        self._names, self._origins = {id(tensor): name for tensor, name in named}, named_origins(named)
        self._shows_attributes, self._shows_saved = (is_on(options.get(name)) for name in ("show_attrs", "show_saved"))
        self._attribute_characters = options["max_attr_chars"]
        self._seen: dict[int, Any] = {}  # by id, with the object: while it lives, no other has its id
        for output in tensors_in(options.get("var")):
            self._draw_output(output, "output")
        self.model.add_results((grad_fn_of(tensor), name) for tensor, name in named if is_tensor(tensor))

    def _draw_output(self, tensor: torch.Tensor, kind: NodeKind) -> None:
        if self._was_met(tensor):
            return
        self._draw_tensor(tensor, kind)
        function, base = read_field(tensor, "grad_fn"), read_field(tensor, "_base")  # only a view has a base
        if function is not None:
            self._draw_functions(function)
            self.model.add_edge(function, tensor)
        if base is not None:
            self._draw_output(base, "tensor")
            self.model.add_edge(base, tensor, "view")

    def _draw_functions(self, root: Any) -> None:
        """Draw all functions behind `root` in the order of torchviz's recursion over `next_functions`, but with a stack."""
        stack = [self._visit(root)]
        while stack and not self.model.is_full:
            following = next(stack[-1], None)
            if following is None:
                stack.pop()
            else:
                stack.append(self._visit(following))

    def _visit(self, function: Any) -> Iterator[Any]:
        """Draw one function and its tensors. Yield each following function at the moment at which torchviz draws it."""
        if self._was_met(function):
            return
        if self._shows_saved:
            self._draw_saved_attributes(function)
        variable = getattr(function, "variable", None)
        if is_tensor(variable):
            self._was_met(variable)
            self._draw_tensor(variable, "leaf")
            self.model.add_edge(variable, function)
        self.model.add_function(function, self._label(function), sequence_of(function))
        for following, _ in function.next_functions:
            if following is not None:
                self.model.add_edge(following, function)
                yield following
        for index, tensor in enumerate(read_saved(function, "_raw_saved_tensors", "saved_tensors")):
            self._draw_saved(function, tensor, "", index)

    def _draw_saved_attributes(self, function: Any) -> None:
        for attribute in saved_attributes(function):
            name = attribute.removeprefix(SAVED_PREFIX)
            value = read_saved(function, f"_raw{attribute}", attribute)
            if is_tensor(value):
                self._was_met(value)
            items = {f"{name}[{index}]": item for index, item in enumerate(value)} if isinstance(value, tuple) else {name: value}
            for key, item in items.items():
                if is_tensor(item):
                    self._draw_saved(function, item, key)

    def _draw_saved(self, function: Any, tensor: torch.Tensor, name: str, index: int | None = None) -> None:
        """Draw a saved tensor. `index`: which argument of save_for_backward it was; None if PyTorch saved it in the attribute `name`."""
        if index is not None:
            self._was_met(tensor)
        source, target = (function, tensor) if index is None else (tensor, function)
        self.model.add_edge(source, target, "saved")
        self._draw_tensor(tensor, "saved", name, role_of(tensor, function))

    def _draw_tensor(self, tensor: torch.Tensor, kind: NodeKind, attribute: str = "", role: Role | None = None) -> None:
        """Draw a tensor. `attribute` is the function's attribute in which it is saved; torchviz shows this as the tensor's name."""
        name = self._names.get(id(tensor), "")
        own = name or (name_of(tensor, self._origins) if kind == "saved" else None)
        self.model.add_tensor(tensor, kind, attribute or name, own, role)

    def _label(self, function: Any) -> str:
        with suppress(Exception):  # freed, or a wrong max_attr_chars: torchviz raises that itself
            if self._shows_attributes and not any(is_hooked(function, f"_raw{attribute}") for attribute in saved_attributes(function)):
                return str(get_fn_name(function, True, self._attribute_characters))
        return type(function).__name__

    def _was_met(self, item: Any) -> bool:
        """Return whether the walk has met `item` before, and remember it."""
        if id(item) in self._seen:
            return True
        self._seen[id(item)] = item
        return False


def named_tensors(params: Any) -> list[tuple[Any, str]]:
    """Return each tensor in make_dot's argument `params` with its name; an empty list if `params` is not a mapping."""
    try:
        return [(tensor, str(name)) for name, tensor in params.items()]
    except Exception:
        return []


def is_on(option: Any) -> bool:
    return type(option) in (bool, int) and bool(option)


def saved_attributes(function: Any) -> list[str]:
    return [attribute for attribute in dir(function) if attribute.startswith(SAVED_PREFIX)]


def read_saved(function: Any, raw: str, attribute: str) -> Any:
    """Return what a function saved; an empty tuple if it was freed, or if a hook would have to unpack it."""
    try:
        return () if is_hooked(function, raw) else getattr(function, attribute, ())
    except RuntimeError:
        return ()


def is_hooked(function: Any, raw: str) -> bool:
    """Return whether a hook would unpack what the attribute `raw` has saved. Raises RuntimeError if it was freed."""
    packed = getattr(function, raw, ())
    return any(getattr(each, "unpack_hook", None) is not None for each in (packed if isinstance(packed, tuple) else (packed,)))


def tensors_in(value: Any, depth: int = 4) -> Iterator[torch.Tensor]:
    """Yield a tensor, or the tensors in a list, tuple or dict, at most `depth` levels deep."""
    if is_tensor(value):
        yield value
    elif depth and type(value) in (list, tuple, dict):
        for item in value.values() if type(value) is dict else value:
            yield from tensors_in(item, depth - 1)


def role_of(tensor: torch.Tensor, function: Any) -> Role | None:
    """Return whether `tensor` is an input or the output of `function`; None for intermediate results and tensors that need no gradient.

    PyTorch unpacks a saved output with the function itself as its `grad_fn`. It unpacks a saved input as the leaf, or with the `grad_fn`
    and output number to which an edge of the function leads.
    """
    maker, number = grad_fn_of(tensor), read_field(tensor, "output_nr")
    if maker is None:
        leaves = [getattr(following, "variable", None) for following, _ in function.next_functions if following is not None]
        return "input" if any(leaf is tensor for leaf in leaves) else None
    if maker is function:
        return "output"
    return "input" if any(following is maker and index == number for following, index in function.next_functions) else None


def name_of(tensor: torch.Tensor, named: Mapping[Origin, str]) -> str | None:
    """Return the name that `named` has for this tensor, None if there is none.

    Two tensors are the same if they are the same output of a function, or at the same place in memory.
    """
    return next((named[origin] for origin in origins_of(tensor) if origin in named), None)


def named_origins(named: Iterable[tuple[Any, str]]) -> dict[Origin, str]:
    """Return the names of tensors by their origins. Other Python objects for the same tensor have the same origins."""
    return {origin: name for tensor, name in named if is_tensor(tensor) for origin in origins_of(tensor)}


def origins_of(tensor: torch.Tensor) -> Iterator[Origin]:
    if (maker := grad_fn_of(tensor)) is not None:
        yield maker, read_field(tensor, "output_nr")
    if place := place_of(tensor):
        yield place


def place_of(tensor: torch.Tensor) -> tuple[object, ...] | None:
    """Return address, strides, size and dtype of a tensor; None if it has no entries, or no single place for them, as a sparse tensor."""
    try:
        with torch._C.DisableTorchFunctionSubclass():
            if not torch.Tensor.numel(tensor):
                return None
            address, strides, size = torch.Tensor.data_ptr(tensor), torch.Tensor.stride(tensor), torch.Tensor.size(tensor)
    except Exception:
        return None
    return (address, tuple(strides), tuple(size), read_field(tensor, "dtype")) if address else None
