"""A Function as a program writes it: its class and its methods."""

import ast
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from app.pitfalls.syntax.names import is_constant, last_name, walk_own

# Decorators that leave the parameters and what is returned as they are.
_PLAIN_DECORATORS = {"staticmethod", "once_differentiable", "custom_fwd", "custom_bwd", "no_grad", "enable_grad", "override"}


@dataclass(frozen=True, eq=False)
class WrittenMethod:
    """A method of a Function. `ctx`: the name of its first parameter, if that is the context.

    `parameters`: the positional ones after it.
    """

    node: ast.FunctionDef
    ctx: str | None
    parameters: list[str]

    @property
    def varargs(self) -> str | None:
        return self.node.args.vararg.arg if self.node.args.vararg else None

    @cached_property
    def decorators(self) -> set[str]:
        return {last_name(each) for each in self.node.decorator_list}

    @property
    def is_plain(self) -> bool:
        """Whether all decorators are known and change neither the parameters nor what is returned."""
        return self.decorators <= _PLAIN_DECORATORS

    @cached_property
    def own_nodes(self) -> list[ast.AST]:
        """The nodes of its syntax tree in the order of the source, without functions that are defined inside."""
        return list(walk_own(self.node.body))

    @cached_property
    def returns(self) -> list[ast.Return]:
        return [node for node in self.own_nodes if isinstance(node, ast.Return)]

    @cached_property
    def calls(self) -> list[ast.Call]:
        return [node for node in self.own_nodes if isinstance(node, ast.Call)]

    @cached_property
    def stores(self) -> Counter[str]:
        """How many times the method binds each name, apart from its parameters."""
        return Counter(node.id for node in self.own_nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load))

    @cached_property
    def mentioned(self) -> set[str]:
        """Every name and attribute in the method, including those in functions inside of it."""
        return {last_name(node) for node in ast.walk(self.node) if isinstance(node, ast.Name | ast.Attribute)}

    def context_calls(self, name: str) -> list[ast.Call]:
        """Return the calls of a method of the context, such as `save_for_backward`."""
        return [call for call in self.calls if is_context_attribute(call.func, self.ctx, name)]


@dataclass(frozen=True, eq=False)
class WrittenFunction:
    """A class of the program that is a Function.

    `methods`: those in its own body. `inherited`: those of the bases that the program defines. `variables`: names of class variables,
    including inherited ones.
    """

    node: ast.ClassDef
    methods: dict[str, WrittenMethod]
    inherited: dict[str, WrittenMethod]
    variables: frozenset[str]

    @property
    def name(self) -> str:
        return self.node.name

    def find(self, *names: str) -> WrittenMethod | None:
        """Return the first of these methods that the class has, its own or inherited; None if it has none."""
        every = self.inherited | self.methods
        return next((every[name] for name in names if name in every), None)

    @property
    def forward(self) -> WrittenMethod | None:
        return self.find("forward")

    @property
    def setup_context(self) -> WrittenMethod | None:
        return self.find("setup_context")

    @property
    def backward(self) -> WrittenMethod | None:
        return self.find("backward", "vjp")

    @property
    def own_backward(self) -> WrittenMethod | None:
        """The backward in the class's own body. An inherited one is found with its own class."""
        return self.methods.get("backward") or self.methods.get("vjp")

    @property
    def savers(self) -> list[WrittenMethod]:
        """The methods that may save: forward and setup_context."""
        return [method for method in (self.forward, self.setup_context) if method is not None]

    def marks(self, name: str) -> bool:
        """Return whether forward or setup_context calls this method of the context."""
        return any(method.context_calls(name) for method in self.savers)

    def has(self, name: str) -> bool:
        """Return whether the class has a class variable or method of this name."""
        return name in self.variables or name in self.methods or name in self.inherited

    def parameter_name(self, index: int) -> str:
        """Return the name that forward gives to the argument at this position; an empty one if it is not known."""
        return "" if self.forward is None else dict(enumerate(self.forward.parameters)).get(index, "")

    def has_gradient(self, index: int) -> bool:
        """Return whether backward certainly computes a gradient for this input: each `return` has one that is not None."""
        if self.backward is None or not self.backward.is_plain:
            return False
        found = [listed_gradients(each.value) for each in self.backward.returns]
        return bool(found) and all(each is not None and index < len(each) and not is_constant(each[index], None) for each in found)


def listed_gradients(value: ast.expr | None) -> list[ast.expr] | None:
    """Return the expressions that `return` lists; None if their number is not certain."""
    if value is None:
        return None
    if not isinstance(value, ast.Tuple):
        return [value]
    return None if any(isinstance(each, ast.Starred) for each in value.elts) else value.elts


def is_context_attribute(node: ast.AST, ctx: str | None, name: str) -> bool:
    """Return whether the expression is `ctx.name`."""
    return isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.value, ast.Name) and node.value.id == ctx


def read_methods(body: list[ast.stmt]) -> dict[str, ast.FunctionDef]:
    """Return the functions in the body of a class by name. Of several with one name, the last one counts."""
    return {each.name: each for each in body if isinstance(each, ast.FunctionDef)}


def write_method(node: ast.FunctionDef, has_context: bool) -> WrittenMethod:
    """Return a method. `has_context`: whether its first parameter is the context."""
    parameters = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    if has_context and parameters:
        return WrittenMethod(node, parameters[0], parameters[1:])
    return WrittenMethod(node, None, parameters)
