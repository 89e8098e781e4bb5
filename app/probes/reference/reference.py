"""The gradients that a call should have: from the shadow if possible, else from finite differences."""

import torch

from app.probes.calls.prepared_call import Incoming, PreparedCall
from app.probes.reference.cuts import Cut
from app.probes.reference.draws import dense_draw
from app.probes.reference.finite_differences import Differences
from app.probes.reference.real_view import from_real_vector, length, real_vector
from app.probes.reference.shadow import NoShadow, Shadow
from app.probes.time_limit import TimeLimit

MOST_ENTRIES = 200  # an input with at most so many entries is differentiated completely by finite differences
SAMPLED = 24  # how many entries of a larger input are differentiated
DELIBERATE: set[Cut] = {"detach", "no_grad"}  # cuts that have no effect in a forward, but show what its author intends to be constant


class GradientReference:
    """The right gradients of a call. `applied`: a pass of the Function, to whose outputs the incoming gradients belong.

    `shadow`: None if it cannot be used. A shadow whose path may have been cut is used only if many entries agree with finite differences,
    since the cut may not matter, such as that of a tensor detached on saving. `stopped`: the shadow if the path seems to be cut on purpose.
    `symmetric`: inputs that were found to have a gradient for symmetric changes only. `tangent`: inputs that were found to have the
    gradient of a motion on a group, about which nothing is known. `steps`: whether forward rounds or takes an index.
    """

    def __init__(self, prepared: PreparedCall, deadline: TimeLimit | None = None) -> None:
        """Run the Function and its shadow. Raises what `forward` raises."""
        self.prepared = prepared
        self._deadline = deadline or TimeLimit(60)
        self.applied = prepared.apply()
        self._differences: dict[int, Differences] = {}
        self.steps = False
        self.stopped: Shadow | None = None
        self.symmetric: set[int] = set()
        self.tangent: set[int] = set()
        self.shadow = self._find_shadow()

    def _find_shadow(self) -> Shadow | None:
        try:
            shadow = Shadow(self.prepared)
            self.steps = shadow.mode.steps
            shadow.check(self.applied)
            if shadow.mode.cuts and shadow.mode.cuts <= DELIBERATE:
                self.stopped = shadow
            self._compare(shadow)
            if shadow.may_be_cut:
                self._compare_entries(shadow)
        except (Exception, SystemExit):  # in-place changes of what autograd saved, `out=`, other things that need no graph
            return None
        return shadow

    def _compare(self, shadow: Shadow) -> None:
        """Raise NoShadow if finite differences along dense directions contradict the shadow."""
        generator = torch.Generator().manual_seed(3)
        for place in self.prepared.inputs:
            like = self.prepared.arguments[place]
            along = torch.randn(length(like), generator=generator, dtype=torch.float64)
            measured = self.differences(place).along(along)
            draw = dense_draw(self.applied, generator)
            weights = self.weights(draw.grads) * measured.error.isfinite()
            expected = shadow.gradients(self._from_weights(weights))
            value, error = measured.times(weights)
            product = float(real_vector(expected[place]) @ along)
            if abs(value - product) > 1e-3 * abs(product) + 10 * error:
                raise NoShadow("finite differences contradict it")

    def _compare_entries(self, shadow: Shadow) -> None:
        """Raise NoShadow if any of many entries of a gradient contradicts finite differences, or if most entries have a kink."""
        draw = dense_draw(self.applied, torch.Generator().manual_seed(37))
        expected, weights = shadow.gradients(draw.grads), self.weights(draw.grads)
        for place in self.prepared.inputs:
            found = real_vector(expected[place])
            chosen = positions(len(found), SAMPLED)
            measured = [(found[each], *self.differences(place).column(each).times(weights)) for each in chosen]
            trusted = [(float(product), value, error) for product, value, error in measured if error < torch.inf]
            if len(trusted) < len(chosen) / 2:
                raise NoShadow("no finite differences")
            scale = max((abs(value) for _, value, _ in trusted), default=0.0)
            if any(abs(value - product) > 1e-3 * abs(product) + 1e-5 * scale + 10 * error for product, value, error in trusted):
                raise NoShadow("finite differences contradict it")

    def is_rough(self) -> bool:
        """Return whether forward computes in less than double precision, so that finite differences are only noise."""
        return any(self.differences(place).is_rough() for place in self.prepared.inputs if self.prepared.arguments[place].numel())

    def differences(self, place: int) -> Differences:
        if place not in self._differences:
            self._differences[place] = Differences(self.prepared, place)
        return self._differences[place]

    def weights(self, incoming: Incoming) -> torch.Tensor:
        """Return the incoming gradients as weights of the outputs' real numbers."""
        return torch.cat([real_vector(each) for place in self.applied.differentiable if (each := incoming[place]) is not None])

    def _from_weights(self, weights: torch.Tensor) -> list[torch.Tensor | None]:
        incoming: list[torch.Tensor | None] = [None] * len(self.applied.outputs)
        for place in self.applied.differentiable:
            size = length(self.applied.outputs[place])
            incoming[place], weights = from_real_vector(weights[:size], self.applied.outputs[place]), weights[size:]
        return incoming

    def gradients(self, incoming: Incoming) -> dict[int, torch.Tensor]:
        """Return the gradient of each input. NaN means unknown: there is a kink, or there are too many entries for finite differences."""
        if self.shadow is not None:
            return self.shadow.gradients(incoming)
        weights = self.weights(incoming)
        return {place: self._by_differences(place, weights) for place in self.prepared.inputs}

    def _by_differences(self, place: int, weights: torch.Tensor) -> torch.Tensor:
        like = self.prepared.arguments[place]
        grads = torch.full((length(like),), torch.nan, dtype=torch.float64)
        for position in positions(length(like)):
            self._deadline.check()
            value, error = self.differences(place).column(position).times(weights)
            if error < torch.inf:
                grads[position] = value
        # for example, values computed in single precision: then no entry is certain
        if int(grads.isfinite().sum()) < min(len(grads), SAMPLED) / 2:
            grads[:] = torch.nan
        return from_real_vector(grads, like)

    def confirm(self, place: int, position: int, incoming: Incoming) -> tuple[float, float]:
        """Return one entry of a gradient by finite differences, and its error, which is infinite at a kink."""
        self._deadline.check()
        return self.differences(place).column(position).times(self.weights(incoming))


def positions(size: int, most: int = MOST_ENTRIES) -> list[int]:
    """Return the positions of `size` entries: all of them, or a fixed selection if there are more than `most`."""
    if size <= most:
        return list(range(size))
    return sorted(int(each) for each in torch.randperm(size, generator=torch.Generator().manual_seed(size))[:SAMPLED])
