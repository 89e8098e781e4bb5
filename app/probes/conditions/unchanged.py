"""Probes whether forward leaves its inputs unchanged, or marks those that it changes."""

import torch

from app.probes.calls.prepared_call import Applied
from app.probes.observation import Observation
from app.probes.probed_call import ProbedCall
from app.probes.reference.shadow import Shadow


def probe_unchanged(examined: ProbedCall) -> list[Observation]:
    applied = examined.native.apply()
    found = []
    for place in examined.native.inputs:
        given, before = applied.given[place], examined.native.arguments[place]
        # An input that was marked dirty is an output itself; one that is returned without the mark becomes an alias. A difference by
        # rounding means that it was changed and changed back.
        if not torch.allclose(given, before, rtol=1e-5, atol=1e-8, equal_nan=True) and not any(each is given for each in applied.outputs):
            found.append(examined.observe(code_of(examined, applied, place), input=examined.native.name_of(place)))
    return found


def code_of(examined: ProbedCall, applied: Applied, place: int) -> str:
    if applied.given[place]._version:
        return "missing-mark-dirty"
    try:
        cuts = Shadow(examined.native).mode.cuts
    except (Exception, SystemExit):
        return "numpy-in-place"
    return "data-mutated" if "data" in cuts and "numpy" not in cuts else "numpy-in-place"
