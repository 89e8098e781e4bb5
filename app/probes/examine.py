"""Runs all probes on a call of a Function."""

import contextlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

import torch

from app.probes.calls.copies import is_plain, tensors_of
from app.probes.calls.outside import outside_tensors
from app.probes.calls.prepared_call import SEED, ApplyCall, PreparedCall, ReadSource, is_double, seed_all
from app.probes.calls.preserved import outside_in_double, preserved, preserved_tensors
from app.probes.conditions.closure import probe_closure
from app.probes.conditions.inputs import probe_each_alone, probe_unused_outputs
from app.probes.conditions.layout import probe_layout
from app.probes.conditions.linear import probe_linear
from app.probes.conditions.options import other_values, probe_options, with_defaults
from app.probes.conditions.outputs import probe_unmarked
from app.probes.conditions.repeatable import is_forward_repeatable, probe_repeatable
from app.probes.conditions.second import probe_second
from app.probes.conditions.types import probe_types
from app.probes.conditions.unchanged import probe_unchanged
from app.probes.first_order import probe_gradient
from app.probes.observation import Observation
from app.probes.probed_call import NotJudged, ProbedCall
from app.probes.reference.reference import GradientReference
from app.probes.reference.shadow import Shadow, arguments_equal_to, leaves_outside
from app.probes.time_limit import OutOfTime, TimeLimit

HELD = ("gradient", "second", "linear", "layout", "unchanged", "types", "inputs", "options", "repeatable")
"""The names of what can hold, in the order in which the probes' results are told."""
MOST_NUMBERS = 4_000_000  # the most numbers in the arguments
OF_OUTPUTS = {"auxiliary-output-unmarked", "output-not-marked"}
OF_CHANGES = {"grad-output-mutated", "saved-tensor-mutated"}
HINTS = {"surrogate-gradient", "gradient-of-unused", "reversed-gradient", "scaled-gradient", "stopped-gradient", "clipped-gradient"}


class ProbeReport(NamedTuple):
    """The results of all probes. `held`: names of HELD. `not_judged`: for each probe that could not judge, its name and the reason."""

    observations: list[Observation]
    held: list[str]
    not_judged: list[str]


def examine(call: ApplyCall, read_source: ReadSource, seconds: float) -> ProbeReport:
    """Return what the probes observe within about `seconds`.

    Never raises what the Function raises, and restores everything that the Function changes.
    """
    results = Results()
    tensors = [each for argument in call.arguments for each in tensors_of(argument)]
    if not all(is_plain(each) for each in tensors):
        return results.nothing_judged("a tensor is sparse, nested or inside a transform")
    if sum(each.numel() for each in tensors) > MOST_NUMBERS:
        return results.nothing_judged("too large")
    outside = outside_tensors(call.function, call.arguments)
    with preserved(), preserved_tensors(outside.values()):
        try:
            return run_probes(call, read_source, outside, TimeLimit(seconds), results)
        except OutOfTime:
            return results.nothing_judged("out of time")
        except (Exception, SystemExit) as error:
            return results.nothing_judged(f"forward raised {type(error).__name__}")


class Results:
    def __init__(self) -> None:
        self.observations: list[Observation] = []
        self._held: set[str] = set()
        self._untried = dict.fromkeys(HELD, "not tried")
        self._not_judged: dict[str, str] = {}  # the reasons by the names of the probes

    def add(self, name: str, probe: Callable[[], list[Observation]]) -> list[Observation]:
        """Run a probe and store what it found. If the Function raises, the probe counts as not judged."""
        self._untried.pop(name, None)
        try:
            found = probe()
        except OutOfTime:
            self._not_judged[name] = "out of time"
        except NotJudged as reason:
            self._not_judged[name] = str(reason)
        except (Exception, SystemExit) as error:
            self._not_judged[name] = type(error).__name__
        else:
            for each in found:
                self._append(each)
            if all(each.code in HINTS for each in found) and name in HELD:
                self._held.add(name)
            return found
        return []

    def _append(self, observation: Observation) -> None:
        """Append the observation, unless another probe made the same one. One with a place replaces one without a place."""
        for number, other in enumerate(self.observations):
            if is_same(observation, other):
                if other.place is None and observation.place is not None:
                    self.observations[number] = observation
                return
        self.observations.append(observation)

    def drop(self, observations: list[Observation]) -> None:
        self.observations = [each for each in self.observations if each not in observations]

    def nothing_judged(self, reason: str) -> ProbeReport:
        report = self.result()
        return report._replace(not_judged=[reason, *report.not_judged])

    def result(self) -> ProbeReport:
        """Return the report.

        A condition that was never tested, because a probe before it failed or there was nothing to test, is not judged.
        """
        is_changed = any(each.code in OF_CHANGES for each in self.observations)
        held = [each for each in HELD if each in self._held and not (is_changed and each == "unchanged")]
        reasons = self._not_judged | self._untried
        return ProbeReport(self.observations, held, [f"{name}: {reason}" for name, reason in reasons.items()])


def is_same(first: Observation, second: Observation) -> bool:
    if first.code == second.code and first.code in OF_OUTPUTS:  # the same output may be observed with several inputs
        return first.values.get("output") == second.values.get("output")
    inputs = first.values.get("input"), second.values.get("input")
    names = first.values.get("name"), second.values.get("name")
    return first.code == second.code and (None in inputs or inputs[0] == inputs[1]) and names[0] == names[1]


def run_probes(
    call: ApplyCall, read_source: ReadSource, outside: dict[str, torch.Tensor], deadline: TimeLimit, results: Results
) -> ProbeReport:
    """Run the probes. Raises what `forward` raises in the program's precision, and OutOfTime."""
    native = without_aliases(PreparedCall(call, double=False), list(outside.values()))
    if not native.inputs or not native.apply().differentiable:
        return results.nothing_judged("nothing needs a gradient")
    if not is_forward_repeatable(native):
        return results.nothing_judged("forward gives other outputs for the same seed")
    alone = ProbedCall(native, native, None, outside, deadline, read_source)
    changed = results.add("unchanged", lambda: probe_unchanged(alone))
    results.add("closure", lambda: probe_closure(alone))
    results.add("types", lambda: probe_types(alone))
    with in_double(alone) as examined:
        repeated = results.add("repeatable", lambda: probe_repeatable(examined))
        if not changed and all(each.code != "not-deterministic" for each in repeated):
            probe_gradients(examined, results, is_changed=any(each.code == "grad-output-mutated" for each in repeated))
    return results.result()


def probe_gradients(examined: ProbedCall, results: Results, *, is_changed: bool) -> None:
    linear = results.add("linear", lambda: probe_linear(examined))
    first = results.add("gradient", lambda: probe_gradient(examined, linear))
    if any(each.code in HINTS for each in first):
        results.drop([each for each in linear if each.code == "nonlinear-in-grad-output"])
    unused = {each.values["input"] for each in first if each.code == "gradient-of-unused"}
    results.drop([each for each in linear if each.values.get("input") in unused])
    is_wrong = any(each.code not in HINTS for each in first)
    results.add("layout", lambda: probe_layout(examined, is_changed=is_changed))
    results.add("inputs", lambda: [*([] if is_wrong else probe_each_alone(examined)), *probe_unused_outputs(examined)])
    if not is_wrong:
        results.add("unmarked", lambda: probe_unmarked(examined))
    if not first and not linear:
        if has_options(examined.prepared):
            results.add("options", lambda: probe_options(examined))
        results.add("second", lambda: probe_second(examined))


@contextlib.contextmanager
def in_double(alone: ProbedCall) -> Iterator[ProbedCall]:
    """Yield the call in double precision; if that is impossible, the native call without a reference."""
    before = torch.get_default_dtype()
    try:
        torch.set_default_dtype(torch.float64)
        with contextlib.ExitStack() as stack:
            reference = reference_in_double(alone)
            if reference is None and alone.outside:
                stack.enter_context(outside_in_double(alone.outside.values()))
                reference = reference_in_double(alone)
            if reference is not None:
                yield alone._replace(prepared=reference.prepared, reference=reference)
                return
        torch.set_default_dtype(before)
        yield alone
    finally:
        torch.set_default_dtype(before)


def reference_in_double(alone: ProbedCall) -> GradientReference | None:
    """Return the reference; None if the Function does not run in double precision, or returns something else then."""
    try:
        prepared = PreparedCall(alone.native.call, double=True)
        reference = GradientReference(prepared, alone.deadline)
    except OutOfTime:
        raise
    except (Exception, SystemExit):
        return None
    if not is_double(prepared, reference.applied) or not reference.applied.differentiable or reference.is_rough():
        return None
    if reference.shadow is None and draws_random_numbers(prepared):
        return None  # a sampler's output at one seed may jump where its distribution does not
    return reference


def has_options(prepared: PreparedCall) -> bool:
    """Return whether an argument, or a default, has another value that can be tried."""
    return any(True for value in with_defaults(prepared).arguments for _ in other_values(value))


def draws_random_numbers(prepared: PreparedCall) -> bool:
    seed_all(SEED)
    before = torch.get_rng_state()
    prepared.apply()
    return not torch.equal(before, torch.get_rng_state())


def without_aliases(prepared: PreparedCall, outside: list[torch.Tensor]) -> PreparedCall:
    """Return the call without gradients for arguments that are copies of a tensor with which forward computes instead."""
    aliases = set(arguments_equal_to(prepared, [each for each in outside if each.requires_grad]))
    with contextlib.suppress(Exception, SystemExit):
        aliases |= set(arguments_equal_to(prepared, leaves_outside(Shadow(prepared))))
    return prepared.needing_only(set(prepared.inputs) - aliases) if aliases else prepared
