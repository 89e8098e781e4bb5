"""Searches for the one small change of the source that makes a gradient right."""

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import torch

from app.probes.causes.at_hand import AtHand
from app.probes.causes.changes.calls import call_changes
from app.probes.causes.changes.change import MUTATED, Change, change
from app.probes.causes.changes.insertions import (
    everywhere_changes,
    insertion_changes,
    is_operand,
    is_settled,
    product_changes,
    projection_changes,
    uncast,
    unused_changes,
)
from app.probes.causes.changes.names import name_changes
from app.probes.causes.changes.operators import operator_changes
from app.probes.causes.changes.statements import statement_changes, unpacked_otherwise
from app.probes.causes.matrices import Relation, find_relation
from app.probes.causes.sites import TreeSite, expression_sites, statement_sites
from app.probes.causes.size_limit import SizeLimit
from app.probes.causes.slices import slice_of
from app.probes.causes.sources import METHODS, SourcePart, static_methods
from app.probes.causes.tree_facts import assigned_name, is_whole, loop_statements, size_nodes, unused_names, used_by_forward
from app.probes.causes.trials import GradientTrial, Replay, ReplayOutcome, RightGradients, distance
from app.probes.causes.twin import Twin
from app.probes.time_limit import TimeLimit
from app.probes.wrong_gradient import Draw

SMALLEST_PART = 0.3  # the least share of the wrong entries that a change must make right
TESTED_WHOLE = 1.0


class Repair(NamedTuple):
    """A change that makes a gradient right. `share`: the share of the wrong entries that become right.

    `mended`: the inputs whose wrong gradients become right.
    """

    part: SourcePart
    change: Change
    share: float
    mended: set[int]


class RepairSearch:
    """The search for one gradient. `place`: the position of the argument whose gradient is wrong.

    `right`: the arguments whose gradients are right and must stay right.
    """

    def __init__(
        self, twin: Twin, replays: list[Replay], place: int, tolerance: float, parameters: list[str], reference: RightGradients
    ) -> None:
        self._twin, self.replays, self._place, self._tolerance = twin, replays, place, tolerance
        self._reference = reference
        self.trial, self.baseline = replays[0].trial, replays[0].first
        expected = self.trial.expected
        self.right = {each for each in expected if self._is_right(replays[0], self.baseline, each)}
        self.wrong_places = set(expected) - self.right
        self._backward = twin.parts[0]
        self._incoming = [each.arg for each in self._backward.tree.args.args[1:]]
        # what forward calls, too, is right by definition
        self._helpers = [part for part in twin.parts[1:] if id(part) not in used_by_forward(twin.parts)]
        self._forwards = [part for part in twin.parts[1:] if part.owner is not None and part.name in METHODS]
        self._at_hand = {part.name: AtHand(replays[0], part, parameters) for part in [self._backward, *self._helpers]}
        self._methods = static_methods(twin.original)
        self.reached = slice_of(self._backward.tree, place)
        others = set(range(len(self.trial.arguments))) - self.wrong_places
        self.alone = self.reached.difference(*(slice_of(self._backward.tree, each) for each in others))
        self._as_in_forward = {
            ast.dump(site.node) for part in self._forwards for site in statement_sites(part.tree) if isinstance(site.node, ast.Assign)
        }
        values = (*replays[0].trial.arguments, *replays[0].outputs, *expected.values())
        self._tensors = [each for each in values if isinstance(each, torch.Tensor)]
        self._best: Repair | None = None

    def run(self, deadline: TimeLimit) -> Repair | None:
        for ranked in self._ranks():
            for part, each in ranked:
                if not deadline.left:
                    return self._best
                repair = self._tried(part, each)
                if repair is None:
                    continue
                if repair.share == TESTED_WHOLE and repair.mended == self.wrong_places:
                    return repair
                if self._best is None or (repair.share, len(repair.mended)) > (self._best.share, len(self._best.mended)):
                    self._best = repair
        return self._best

    def holds(self, relation: Relation) -> bool:
        """Return whether the relation also holds for other values of the arguments: by chance a factor may be equal to one of them."""
        draws = [Draw(each.trial.incoming, each.trial.expected[self._place], each.first.gradients[self._place]) for each in self.replays]
        found = find_relation(draws)
        return found is not None and found.code == relation.code

    def is_right_without(self, outputs: list[int]) -> bool:
        """Return whether the gradient is right if these outputs are not used."""
        trial = self.trial
        incoming = tuple(None if each is None else each * (number not in outputs) for number, each in enumerate(trial.incoming))
        replay = Replay(self._twin, GradientTrial(trial.arguments, incoming, self._reference(trial.arguments, incoming)))
        return self._is_right(replay, replay.first, self._place)

    def _ranks(self) -> Iterator[list[tuple[SourcePart, Change]]]:
        """Yield changes in groups. Those that undo the most common mistakes come first."""
        yield self._ranked(self._backward, [*self._natural(self._backward), *self._as_forward_has_it()])
        yield self._ranked(self._backward, self._unused())
        for part in self._forwards:
            yield [(part, each) for each in self._of_forward(part)]
        for part in self._helpers:
            yield self._ranked(part, self._natural(part))
        for part in [self._backward, *self._helpers]:
            yield self._ranked(part, self._renamed(part))
        if self._best is not None:  # a likely change that corrects a part does not do so by chance
            return
        yield self._ranked(self._backward, self._products())
        for part in [self._backward, *self._helpers]:
            yield self._ranked(part, self._inserted(part), whole_first=True)
        yield self._ranked(self._backward, self._projections())

    def _ranked(self, part: SourcePart, changes: Iterable[Change], *, whole_first: bool = False) -> list[tuple[SourcePart, Change]]:
        """Return the changes, the most likely first.

        `whole_first`: whether changes of a whole assigned value come before changes of its parts.
        """
        found = [(self._key(part, position, each, whole_first), each) for position, each in enumerate(changes)]
        looping, sizes = loop_statements(part.tree), size_nodes(part.tree)
        return [
            (part, each)
            for _, each in sorted(found, key=lambda pair: pair[0])
            if id(each.site.statement) not in looping and not any(id(site.node) in sizes for site, _ in each.edits)
        ]

    def _key(self, part: SourcePart, position: int, change: Change, whole_first: bool) -> tuple[int, bool, int, int]:
        site = change.site
        nearness = 0 if site.owner in self.alone else 1 if site.owner in self.reached else 2
        if part is not self._backward or (isinstance(site.statement, ast.Return) and site.owner == id(site.statement.value)):
            nearness = 0
        elif isinstance(site.statement, ast.If | ast.For) and site.owner == id(site.statement):
            nearness = min(nearness, 1)
        if ast.dump(site.statement) in self._as_in_forward:  # forward computes this value in the same way, so it is probably right
            nearness = 2
        is_alias = isinstance(site.node, ast.Name) and assigned_name(site.statement) is not None and site.parent is site.statement
        # a name that only gets the value of another has probably lost an operation
        is_part = whole_first and not is_whole(site)
        return nearness, is_part, -1 if is_alias and change.late else change.order, -position if change.late else position

    def _natural(self, part: SourcePart) -> Iterator[Change]:
        for site in statement_sites(part.tree):
            yield from statement_changes(site)
        yield from uncast(part.tree)
        for site in expression_sites(part.tree):
            yield from operator_changes(site)
            yield from call_changes(site, self._methods)

    def _as_forward_has_it(self) -> Iterator[Change]:
        """Yield changes that assign what `forward` assigns to a name of the same spelling."""
        names: dict[str, list[ast.expr]] = {}
        for part in self._twin.parts[1:]:
            for site in statement_sites(part.tree):
                if (name := assigned_name(site.node)) is not None:
                    names.setdefault(name, []).append(site.node.value)
        for site in statement_sites(self._backward.tree):
            for value in names.get(assigned_name(site.node) or "", ()):
                if ast.dump(value) != ast.dump(site.node.value):
                    yield change(site, ast.Assign(site.node.targets, value), "wrong-gradient", 1)

    def _projections(self) -> Iterator[Change]:
        for site in self._reached_sites(self._backward):
            if is_operand(site) and not is_settled(site, self._incoming):
                yield from projection_changes(site, self._at_hand["backward"], self._incoming)

    def _of_forward(self, part: SourcePart) -> Iterator[Change]:
        """Yield changes of what `forward` does after it saved a tensor, and of what it saves."""
        for site in statement_sites(part.tree):
            yield from (each for each in statement_changes(site) if each.code == MUTATED)
        for site in expression_sites(part.tree):
            of_ctx = any(isinstance(each, ast.Name) and each.id == part.tree.args.args[0].arg for each in ast.walk(site.statement))
            for each in call_changes(site, self._methods):
                if each.code == MUTATED or of_ctx:
                    yield each

    def _renamed(self, part: SourcePart) -> Iterator[Change]:
        for site in self._reached_sites(part):
            yield from name_changes(site, self._at_hand[part.name])
        for site in statement_sites(part.tree):
            yield from unpacked_otherwise(site)

    def _unused(self) -> Iterator[Change]:
        marked = {name for name, each in zip(self._incoming, self.trial.incoming, strict=False) if each is None}
        unused = unused_names(self._backward.tree) - marked
        for site in self._reached_sites(self._backward) if unused else ():
            yield from unused_changes(site, self._at_hand["backward"], self._incoming, unused)

    def _inserted(self, part: SourcePart) -> Iterator[Change]:
        at_hand = self._at_hand[part.name]
        incoming = self._incoming if part is self._backward else []
        for site in self._reached_sites(part):
            yield from insertion_changes(site, at_hand, incoming)
        for site in statement_sites(part.tree):
            yield from everywhere_changes(site.statement, part.tree, at_hand)

    def _products(self) -> Iterator[Change]:
        at_hand = self._at_hand["backward"]
        for site in self._reached_sites(self._backward):
            shape = self._shape_of(site, at_hand)
            if is_whole(site) and shape is not None and not is_settled(site, self._incoming):
                yield from product_changes(site, at_hand, shape)

    def _shape_of(self, site: TreeSite, at_hand: AtHand) -> torch.Size | None:
        """Return the shape of the value that the statement assigns or returns."""
        statement = site.statement
        if isinstance(statement, ast.Return):
            return self.trial.expected[self._place].shape
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        value = at_hand.last.get(target.id) if isinstance(target, ast.Name) else None
        return value.shape if isinstance(value, torch.Tensor) else None

    def _reached_sites(self, part: SourcePart) -> Iterator[TreeSite]:
        for site in expression_sites(part.tree):
            is_near = part is not self._backward or site.owner in self.reached
            if is_near and id(site.statement) in self._at_hand[part.name].before:
                yield site

    def _tried(self, part: SourcePart, change: Change) -> Repair | None:
        least, mended = TESTED_WHOLE, self.wrong_places
        try:
            with change.made():
                function = self._twin.compiled(part)
            with self._twin.replaced(part, function), SizeLimit(self._tensors):
                for replay in self.replays:
                    outcome = replay.backward() if part not in self._forwards else replay.whole()
                    least = min(least, self._share(replay, outcome))
                    # autograd would still have to sum the gradient to the right shape
                    is_summed = self._place in outcome.summed - replay.first.summed
                    if least < SMALLEST_PART or is_summed:
                        return None
                    mended = {each for each in mended if self._is_right(replay, outcome, each)}
        except Exception:  # a changed program may raise anything
            return None
        return Repair(part, change, least, mended)

    def _is_right(self, replay: Replay, outcome: ReplayOutcome, place: int) -> bool:
        return distance(outcome.gradients[place], replay.trial.expected[place]) <= self._tolerance

    def _share(self, replay: Replay, outcome: ReplayOutcome) -> float:
        """Return the share of the wrong entries that became right; 0 if a right gradient became wrong."""
        if not all(self._is_right(replay, outcome, each) for each in self.right):
            return 0.0
        if self._is_right(replay, outcome, self._place):
            return TESTED_WHOLE
        wanted, got = replay.trial.expected[self._place], outcome.gradients[self._place]
        known = torch.isfinite(wanted)
        margin = self._tolerance * (float(wanted[known].abs().max()) or 1.0)
        before = ((replay.first.gradients[self._place] - wanted).abs() > margin) & known
        now = ((got - wanted).abs() > margin) & known
        if bool((now & ~before).any()) or not bool(torch.isfinite(got).all()):
            return 0.0
        return float((before & ~now).sum()) / max(int(before.sum()), 1)
