"""Rules about what a program may use to compute its gradients. An answer that used something else is refused.

Runs in the grader's child. The learner's process reports what it used (app.runtimes.torch.calls.autograd_use).

A process that runs out of memory may report this, or the kernel may kill it first. Which of the two happens depends on the machine, but the
verdict must not, so both count as the end of the process. After such a report the process gets no more requests. A false report can
therefore only make checks fail.
"""

import ast

from msgspec import structs

from app.protocol.calls import Call, Called, Define, Fetched, Judge, Judgement, Pull, Request, Used
from app.protocol.grading import Rubric
from app.protocol.outcome import Outcome
from app.runtimes.runtime import Gone
from app.runtimes.torch.calls.remote_graph import Ask, Asker, RaisedThere, UnreadableReply, Wanted
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


class LearnerAsker(Asker):
    """Sends requests to the learner's process. `gone` says how that process ended, None while it runs.

    `rules` say what the process may use to compute its answers.
    """

    def __init__(self, ask: Ask, rules: UseRules) -> None:
        super().__init__(ask)
        self._rules = rules
        self._given: list[Define] = []
        self.gone: Gone | None = None

    def define_first(self, given: Define) -> None:
        """Send `given` before the next request."""
        self._given.append(given)

    def request(self, request: Request, wanted: type[Wanted]) -> Wanted:
        """Return the reply, as Asker.request does.

        Raises Gone if the process has ended, or has reported that it ran out of memory. Raises NotPassed if the answer used what the
        exercise rules out.
        """
        if self.gone is not None:
            raise Gone(self.gone.outcome)
        while self._given:
            self.request(self._given.pop(0), Fetched)
        if self._rules.watches and isinstance(request, (Call, Pull, Judge)):
            request = structs.replace(request, watch=True)
        try:
            reply = super().request(request, wanted)
        except Gone as gone:
            self.gone = gone
            raise
        except RaisedThere as error:
            if not error.raised.out_of_memory:
                raise
            self.gone = Gone(Outcome.OUT_OF_MEMORY)
            raise self.gone from None
        if self._rules.watches and isinstance(reply, (Called, Judgement)):
            if reply.used is None:
                raise UnreadableReply("it does not say what it used")
            self._rules.check(request, reply.used)
        return reply
