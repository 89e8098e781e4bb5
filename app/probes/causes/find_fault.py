"""Finds out why a gradient is wrong, and in which line."""

import ast
from collections.abc import Sequence
from typing import Any

import torch

from app.probes.calls.copies import in_double
from app.probes.calls.prepared_call import POSITIONAL, ApplyCall, ReadSource, forward_parameters
from app.probes.calls.preserved import preserved_in_double
from app.probes.causes.changes.change import MUTATED
from app.probes.causes.matrices import Relation, find_relation, swapped_with
from app.probes.causes.repair_search import TESTED_WHOLE, Repair, RepairSearch
from app.probes.causes.slices import slice_of
from app.probes.causes.sources import find_parts, place_of
from app.probes.causes.tree_facts import unused_names
from app.probes.causes.trials import GradientTrial, Replay, RightGradients, distance, fresh_arguments
from app.probes.causes.twin import Twin
from app.probes.observation import FilePlace, Observation, Value
from app.probes.time_limit import TimeLimit
from app.probes.wrong_gradient import WrongGradient

GENERIC = {"wrong-gradient", "wrong-factor", "missing-term"}
SEEDS = (1, 2, 3)


def find_fault(
    call: ApplyCall, wrong: WrongGradient, reference: RightGradients, read_source: ReadSource, seconds: float
) -> Observation | None:
    """Return the cause and the place of a wrong gradient. The place is None if the source is not known.

    `seconds`: how long to search. The learner's class, the state of the random generator and grad mode are not changed.
    """
    return next(iter(find_faults(call, [wrong], reference, read_source, seconds)), None)


def find_faults(
    call: ApplyCall, wrongs: Sequence[WrongGradient], reference: RightGradients, read_source: ReadSource, seconds: float
) -> list[Observation]:
    """Return the causes and places of wrong gradients of one call. A fault that makes several of them wrong is returned once.

    `seconds`: how long to search for all of them.
    """
    deadline = TimeLimit(seconds)
    found: list[Observation] = []
    mended: set[int] = set()
    with preserved_in_double():
        for number, wrong in enumerate(wrongs):
            if wrong.input not in mended:
                fault = _Fault(call, wrong, reference, read_source)
                found.append(fault.observe(deadline.left / (len(wrongs) - number)))
                mended |= fault.mended
    return found


class _Fault:
    def __init__(self, call: ApplyCall, wrong: WrongGradient, reference: RightGradients, read_source: ReadSource) -> None:
        self._function, self._wrong, self._reference = call.function, wrong, reference
        self._arguments = tuple(map(in_double, call.arguments))
        self._parts = find_parts(call.function, read_source)
        self._names = [each.name for each in forward_parameters(call.function) if each.kind in POSITIONAL]
        self.mended: set[int] = set()  # the inputs whose gradients the change that was found corrects

    def observe(self, seconds: float) -> Observation:
        deadline = TimeLimit(seconds)
        relation, repair = find_relation(self._wrong.draws), None
        search = self._search() if self._parts else None
        if search is not None:
            if relation is not None and not search.holds(relation):
                relation = None
            relation = self._swapped(search) or relation
            repair = search.run(deadline)
            self.mended = set() if repair is None else repair.mended
        return self._told(relation, repair, search)

    def _search(self) -> RepairSearch | None:
        """Return the search for a repair; None if the gradient is not wrong with a ctx of ours."""
        try:
            twin = Twin(self._function, self._parts)
            replays = self._replays(twin)
            expected, place = replays[0].trial.expected, self._wrong.input
            error = distance(replays[0].first.gradients[place], expected[place])
            tolerance = min(max(error * 1e-3, 1e-8), 1e-5)
            # if no incoming gradient should reach the input, every change that removes its gradient would look right
            is_shown = error > tolerance and bool(expected[place].any())
            return RepairSearch(twin, replays, place, tolerance, self._names, self._reference) if is_shown else None
        except Exception:  # the Function does not run with such a ctx, or the reference has no gradients
            return None

    def _replays(self, twin: Twin) -> list[Replay]:
        pattern = self._wrong.draws[self._wrong.shown].incoming
        replays = []
        for seed in SEEDS:
            generator = torch.Generator().manual_seed(seed)
            arguments = self._arguments if seed != SEEDS[-1] else fresh_arguments(self._arguments, generator)
            incoming = tuple(None if each is None else drawn_like(each, generator) for each in pattern)
            try:
                replays.append(Replay(twin, GradientTrial(arguments, incoming, self._reference(arguments, incoming))))
            except Exception:  # forward may refuse other arguments
                if seed != SEEDS[-1]:
                    raise
        return replays

    def _swapped(self, search: RepairSearch) -> Relation | None:
        place = self._wrong.input
        others = {swapped_with(replay.first.gradients[place], replay.trial.expected, place) for replay in search.replays}
        other = others.pop() if len(others) == 1 else None
        return None if other is None else Relation("gradients-swapped", {"other": self._name(other)})

    def _name(self, place: int) -> str:
        return self._names[place] if place < len(self._names) else f"{place + 1}"

    def _told(self, relation: Relation | None, repair: Repair | None, search: RepairSearch | None) -> Observation:
        worst = self._wrong.worst
        values: dict[str, Value] = {
            "function": self._function.__name__,
            "input": self._name(self._wrong.input),
            "expected": worst.expected,
            "got": worst.got,
            "index": worst.index,
        }
        code = "wrong-gradient"
        if repair is not None and search is not None:
            code = repaired_code(repair, search, self._wrong.input)
            values |= repair.change.values
            if repair.share < TESTED_WHOLE or repair.mended != search.wrong_places:
                values.pop("cause", None)  # the cause is not named if the change does not correct everything
            elif code == "gradients-swapped":
                values["cause"] = "parts-swapped"
        if code == "wrong-dtype":
            values |= {"dtype": dtype_name(self._arguments[self._wrong.input].dtype), "other_dtype": cast_name(repair)}
        if code == "gradients-swapped" and (relation is None or relation.code != code):
            code = "wrong-gradient"  # what was swapped are not gradients of inputs
        if code in GENERIC and repair is None and self._unread(search):
            code = "auxiliary-output-unmarked"
        elif relation is not None and code in GENERIC:
            code = relation.code
        if relation is not None and code == relation.code:
            values |= relation.values
        return Observation(code, self._place(repair, search), values, {} if repair is None else pieces(repair))

    def _unread(self, search: RepairSearch | None) -> list[ast.arg]:
        """Return the incoming gradients that `backward` never reads, if the gradient is right without them."""
        if search is None:
            return []
        incoming, unused = self._parts[0].tree.args.args[1:], unused_names(self._parts[0].tree)
        unread = [place for place, each in enumerate(incoming) if each.arg in unused]
        is_cause = unread and len(unread) < len(incoming) and search.is_right_without(unread)
        return [incoming[place] for place in unread] if is_cause else []

    def _place(self, repair: Repair | None, search: RepairSearch | None) -> FilePlace | None:
        if repair is not None:
            return place_of(repair.part, repair.change.site.node, repair.change.site.statement)
        if not self._parts:
            return None
        backward = self._parts[0]
        if unread := self._unread(search):
            return place_of(backward, unread[0], unread[0])
        alone = search.alone if search is not None else slice_of(backward.tree, self._wrong.input)
        node = last_computed(backward.tree, alone)
        return None if node is None else place_of(backward, node, node)


def pieces(repair: Repair) -> dict[str, FilePlace]:
    """Return the places on which an edit works: a name, a number, the index of a piece, or two elements that are exchanged."""
    (site, new), *_ = repair.change.edits
    if repair.change.code == "gradients-swapped":
        moved = [old for old, other in zip(site.node.elts, new.elts, strict=True) if old is not other]
        return {name: place_of(repair.part, node, site.statement) for name, node in zip(("first", "second"), moved, strict=True)}
    cause = repair.change.values.get("cause")
    is_one_token = cause == "wrong-name" or (cause is not None and isinstance(site.node, ast.Constant) and isinstance(new, ast.Constant))
    return {"piece": place_of(repair.part, site.node, site.statement)} if is_one_token and hasattr(site.node, "lineno") else {}


def drawn_like(tensor: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Return random values in the same memory layout."""
    values = torch.randn(tensor.shape, dtype=tensor.dtype, generator=generator).to(tensor.device)
    if 0 in tensor.stride():
        return values
    return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device=tensor.device).copy_(values)


def cast_name(repair: Repair | None) -> str:
    """Return the dtype of the casts that the change removes."""
    method = repair.change.site.node.func.attr if repair is not None else ""
    return {"half": "float16", "bfloat16": "bfloat16"}.get(method, "float32")


def dtype_name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def repaired_code(repair: Repair, search: RepairSearch, place: int) -> str:
    if place in search.baseline.missing:
        return "zero-gradient"
    if repair.change.code != MUTATED:
        return repair.change.code
    if repair.part.name != "backward":
        return "ctx-value-changed"
    if search.baseline.changed_incoming:
        return "grad-output-mutated"
    return "saved-tensor-mutated" if search.baseline.changed_saved else "wrong-gradient"


def last_computed(tree: ast.FunctionDef, alone: set[int]) -> Any:
    """Return the last statement that computes something. The `return` of a name is used only if there is no other."""
    returned = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return) and node.value is not None]
    gradients = [each for value in returned for each in (value.elts if isinstance(value, ast.Tuple) else [value]) if id(each) in alone]
    computed = [each for each in gradients if not isinstance(each, ast.Name)]
    if computed:
        return computed[0]
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr) and id(node) in alone]
    otherwise = gradients or returned[:1]
    return max(statements, key=lambda node: node.lineno, default=otherwise[-1] if otherwise else None)
