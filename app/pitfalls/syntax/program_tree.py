"""A program in the form in which the rules read it: its syntax tree, its Functions, and where they are called."""

import ast
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from app.pitfalls.syntax.names import (
    assigned_pairs,
    count_bindings,
    dotted_name,
    has_star,
    is_constant,
    keyword_value,
    last_name,
    list_imports,
    walk_own,
)
from app.pitfalls.syntax.written_function import WrittenFunction, WrittenMethod, read_methods, write_method

_MOST_BASES = 20
_LITERALS = (int, float, complex, str)


@dataclass(frozen=True)
class AppliedCall:
    """A call of `F.apply`, or of a name that is bound to it."""

    function: WrittenFunction
    call: ast.Call


class ProgramTree:
    """A parsed program. `nodes`: all of its nodes. `functions`: its Functions, in the order of the source."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.nodes = list(ast.walk(tree))
        self.imports = list_imports(self.nodes)
        self.bindings: Counter[str] = count_bindings(self.nodes)
        self.functions = self._read_functions()
        self._by_name = {function.name: function for function in self.functions}

    def find(self, name: str) -> WrittenFunction | None:
        """Return the Function that a name certainly stands for, because nothing else in the program has this name."""
        return self._by_name.get(name) if self.bindings[name] == 1 else None

    def full_name(self, node: ast.AST) -> str:
        """Return the dotted name with imports resolved, such as `torch.autograd.grad`; "" if the node is no name."""
        name = dotted_name(node)
        if name is None:
            return ""
        first, dot, rest = name.partition(".")
        return f"{self.imports.get(first, first)}{dot}{rest}"

    @cached_property
    def top_nodes(self) -> list[ast.AST]:
        """The nodes outside of functions and classes."""
        return list(walk_own(self.tree.body))

    @cached_property
    def top_values(self) -> dict[str, ast.expr]:
        """The values of names that are bound at the top level exactly once."""
        counted = count_bindings(self.top_nodes)
        counted.update(name for node in self.nodes if isinstance(node, ast.Global) for name in node.names)
        return {name: value for name, value in self.top_assignments if counted[name] == 1}

    @cached_property
    def top_assignments(self) -> list[tuple[str, ast.expr]]:
        """Each name to which a statement at the top level assigns, with its value."""
        pairs = [pair for statement in self.tree.body for pair in assigned_pairs(statement)]
        return [(target.id, value) for target, value in pairs if isinstance(target, ast.Name)]

    @cached_property
    def unrecorded(self) -> set[int]:
        """The ids of the nodes inside of `with torch.no_grad():`, or of `inference_mode`."""
        blocks = [node for node in self.nodes if isinstance(node, ast.With)]
        cut = [node for node in blocks if {"no_grad", "inference_mode"} & {last_name(item.context_expr) for item in node.items}]
        return {id(inner) for node in cut for inner in ast.walk(node)}

    @cached_property
    def nodes_outside(self) -> list[ast.AST]:
        """The nodes outside of Functions."""
        inside = {id(node) for function in self.functions for node in ast.walk(function.node)}
        return [node for node in self.nodes if id(node) not in inside]

    @cached_property
    def calls(self) -> list[ast.Call]:
        return [node for node in self.nodes if isinstance(node, ast.Call)]

    @cached_property
    def definitions(self) -> dict[str, ast.FunctionDef]:
        """The functions of the program, by names that stand for nothing else."""
        found = {node.name: node for node in self.nodes if isinstance(node, ast.FunctionDef)}
        return {name: node for name, node in found.items() if self.bindings[name] == 1}

    @cached_property
    def aliases(self) -> dict[str, WrittenFunction]:
        """The Functions by the names that are bound to `F.apply` and to nothing else."""
        pairs = [pair for node in self.nodes for pair in assigned_pairs(node)]
        once = [(target.id, value) for target, value in pairs if isinstance(target, ast.Name) and self.bindings[target.id] == 1]
        return {name: function for name, value in once if (function := self.applied_function(value))}

    def applied_function(self, node: ast.AST) -> WrittenFunction | None:
        """Return F for the expression `F.apply`."""
        if isinstance(node, ast.Attribute) and node.attr == "apply" and isinstance(node.value, ast.Name):
            return self.find(node.value.id)
        return None

    def called_function(self, call: ast.expr) -> WrittenFunction | None:
        """Return the Function that a call applies."""
        if not isinstance(call, ast.Call):
            return None
        if isinstance(call.func, ast.Name):
            return self.aliases.get(call.func.id)
        return self.applied_function(call.func)

    @cached_property
    def applied_calls(self) -> list[AppliedCall]:
        return [AppliedCall(function, call) for call in self.calls if (function := self.called_function(call))]

    def literal_inputs(self, function: WrittenFunction) -> set[int]:
        """Return the indices of the inputs for which some call of `apply` gives a number or text."""
        return {
            index
            for each in self.applied_calls
            if each.function is function and not has_star(each.call)
            for index, argument in enumerate(each.call.args)
            if isinstance(argument, ast.Constant) and isinstance(argument.value, _LITERALS)
        }

    @cached_property
    def blocks(self) -> list[list[ast.stmt]]:
        """Every list of statements in the program."""
        found = [getattr(node, name, None) for node in self.nodes for name in ("body", "orelse", "finalbody")]
        return [block for block in found if isinstance(block, list) and block and isinstance(block[0], ast.stmt)]

    @cached_property
    def asks_for_gradients(self) -> bool:
        """Whether the program computes gradients anywhere, or sets `requires_grad=True`."""
        if any(is_constant(keyword_value(call, "requires_grad"), True) for call in self.calls):
            return True
        return any(isinstance(call.func, ast.Attribute) and call.func.attr in {"backward", "grad"} for call in self.calls)

    def _read_functions(self) -> list[WrittenFunction]:
        classes = [node for node in self.nodes if isinstance(node, ast.ClassDef)]
        found: dict[str, WrittenFunction] = {}
        functions = []
        for node in sorted(classes, key=lambda node: node.lineno):
            bases = [found[name] for base in node.bases[:_MOST_BASES] if (name := dotted_name(base)) in found]
            if bases or any(self._is_function(base, read_methods(node.body)) for base in node.bases):
                functions.append(_read_function(node, bases))
                found[node.name] = functions[-1]
        return functions

    def _is_function(self, base: ast.expr, methods: dict[str, ast.FunctionDef]) -> bool:
        """Return whether a base is PyTorch's Function. `methods`: those of the class that has this base.

        A base from elsewhere whose name ends in Function counts if the class has both a forward and a backward.
        """
        written = dotted_name(base) or ""
        name = self._assigned.get(written) or self.full_name(base)
        if name == "Function" or name.endswith("autograd.Function") or (name.startswith("torch.") and name.endswith("Function")):
            return not self.bindings["Function"] or name != "Function"
        return name.endswith("Function") and not name.endswith(".Function") and {"forward", "backward"} <= methods.keys()

    @cached_property
    def _assigned(self) -> dict[str, str]:
        """The full names of names that are bound to a dotted name, as by `Fn = torch.autograd.Function`."""
        return {name: full for name, value in self.top_assignments if (full := self.full_name(value))}


def _read_function(node: ast.ClassDef, bases: list[WrittenFunction]) -> WrittenFunction:
    written = read_methods(node.body)
    inherited: dict[str, WrittenMethod] = {}
    for base in reversed(bases):
        inherited |= base.inherited | base.methods
    targets = {target.id for statement in node.body for target, _ in assigned_pairs(statement) if isinstance(target, ast.Name)}
    variables = frozenset(targets).union(*(base.variables for base in bases))
    separate = "setup_context" in written or "setup_context" in inherited
    with_context = {"backward", "vjp", "setup_context", "jvp"} | (set() if separate else {"forward"})
    methods = {name: write_method(method, has_context=name in with_context) for name, method in written.items()}
    return WrittenFunction(node, methods, inherited, variables)
