"""Rules about what a program may use to compute its gradients. An answer that used something else is refused.

Runs in the grader's child. The learner's process reports what it used (app.runtimes.torch.calls.autograd_use).
"""

import ast

from app.protocol.calls import Call, Pull, Request, Used
from app.protocol.grading import Rubric
from app.runtimes.torch.grading.not_passed import NotPassed
from app.runtimes.torch.grading.source_rules.bans import banned_operators, check_bans
from app.runtimes.torch.grading.source_rules.source_tree import Names, parse_sources

_AUTOGRAD = "torch.autograd"
# Names that derive a formula or return one of PyTorch's, and Gradroom itself.
_DERIVERS = (
    "app", "autograd", "functorch", "jax", "numpy.polynomial", "numpy.testing.measure", "scipy", "sympy", "tensorflow", "torch._decomp",
    "torch._prims", "torch._refs", "torch.compile", "torch.distributions", "torch.export", "torch.fx", "torch.jit", "torch.library",
    "torch.nn.grad", "torch.ops",
)  # fmt: skip
# After these are used, the process cannot report what computes.
_UNSEEN = ("threading.Thread", "torch.profiler", "TorchFunctionMode", "TorchDispatchMode", "saved_tensors_hooks")
_RUNS = ("torch.autograd.grad", "torch.autograd.backward", "torch.autograd.f", "torch.func.", "torch.nn.grad")


class UseRules:
    """The rules of one exercise.

    `watches` says whether anything is ruled out: then the learner's process must report what it used. `derivers` are banned names besides
    the exercise's own bans. They derive gradients, so that the learner need not compute any. A name that the solution uses is not among
    them.
    """

    def __init__(self, exercise: Rubric) -> None:
        self._functions = exercise.functions
        self._operators = banned_operators(exercise.bans)
        self._bans_autograd = _AUTOGRAD in exercise.bans
        self._own_gradients = bool(exercise.functions) and not _differentiates(exercise.solution, exercise.functions)
        self.watches = bool(exercise.functions or exercise.bans)
        rules_out = bool(exercise.functions) or self._bans_autograd
        self.derivers = [name for name in _DERIVERS if rules_out and not _uses(exercise.solution, name)]

    def stop(self) -> None:
        """Allow everything from now on. The source has already been refused, and the remaining checks are still to run."""
        self.watches = False

    def check(self, request: Request, used: Used) -> None:
        """Raise NotPassed if something in `used` may not be used to answer `request`."""
        if isinstance(request, Call) and request.function in self._functions and not used.is_own:
            raise NotPassed("function-changed", function=request.function)
        for name in used.means:
            if name in _UNSEEN:
                raise NotPassed("unseen", name=name)
        for operator in used.operators:
            if operator in self._operators:
                raise NotPassed("ban-called", name=self._operators[operator], operator=operator)
        if used.means or used.runs:
            of_function = isinstance(request, Pull) or (isinstance(request, Call) and request.function in self._functions)
            if self._bans_autograd or (self._own_gradients and of_function):
                raise NotPassed("autograd-run") if used.runs else NotPassed("autograd-means", name=used.means[0])


def _uses(source: str, name: str) -> bool:
    try:
        check_bans(parse_sources([source]), [name])
    except NotPassed:
        return True
    return False


def _differentiates(source: str, functions: list[str]) -> bool:
    """Return whether these functions of the solution, or what they call by name, let autograd compute a gradient."""
    trees = parse_sources([source])
    names = Names(trees)
    definitions = {node.name: node for node in ast.walk(trees[0]) if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    waiting = [*functions]
    while waiting:
        node = definitions.pop(waiting.pop(), None)
        for inner in ast.walk(node) if node else ():
            match inner:
                case ast.Attribute() if any(meaning.startswith(_RUNS) for meaning in names.meanings(inner)):
                    return True
                case ast.Call(func=ast.Attribute(attr="backward", value=ast.Name(id=name))) if name in definitions or name in functions:
                    pass
                case ast.Call(func=ast.Attribute(attr="backward")):
                    return True
                case ast.Name(id=name):
                    waiting.append(name)
    return False
