"""Adds to the records of calls what repeating each call shows: missing paths, cuts, and what PyTorch would have saved.

Runs in the child, after everything else of the program has been recorded, so what a learner's method does here is not shown.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

import torch

from app.protocol.records.saved import CUTS, MISSING_PATHS, MissingPath, PathCut
from app.runtimes.positions import Sources
from app.runtimes.silence import is_only_thread, unseen
from app.runtimes.torch.tracing.functions.function_calls import TracedCall
from app.runtimes.torch.tracing.functions.stored_tensor import box_id
from app.runtimes.torch.tracing.functions.stub_run import Path, StubRun, TookTooLong, Used
from app.runtimes.torch.tracing.node_names import tensor_or_node

LONGEST_CALL_SECONDS = 0.25  # the longest call that is repeated


class FoundPath(NamedTuple):
    """A missing path. `used`: the nodes that it goes through. `ends`: ids of nodes at which it may end, the best first."""

    path: MissingPath
    used: list[Used]
    ends: list[str]


def add_missing_paths(sources: Sources, calls: Iterable[TracedCall]) -> list[FoundPath]:
    """Fill in `missing`, `cuts` and `builtin_bytes` of the records. Return the missing paths."""
    found = []
    for call, record, _ in calls:
        if call.arguments is None or call.seconds > LONGEST_CALL_SECONDS or not is_only_thread():
            continue
        with unseen(), torch.random.fork_rng(devices=[]):
            run, paths = StubRun(sources, call, call.arguments), list[Path]()
            with suppress(Exception, TookTooLong):  # the learner's methods may use something that our ctx lacks
                run.run()
                paths = list(run.paths())
            names = {stored.key: saved.name for stored, saved in zip(call.stored, record.saved, strict=True)}
            for path in paths[:MISSING_PATHS]:
                missing = MissingPath(
                    saved=names[path.key],
                    source=run.argument_name(path.source),
                    gradient_of=run.argument_name(path.gradient_of),
                    node=tensor_or_node(call.makers[path.source]),
                    made=path.made,
                    used=path.used[0][0] if path.used else None,
                )
                record.missing.append(missing)
                found.append(FoundPath(missing, path.used, [*call.returned_ids(path.gradient_of), box_id(call.node or "", path.key)]))
            record.cuts = [PathCut(reason=reason, method=method, span=span) for reason, method, span in run.watch.cuts[:CUTS]]
            record.builtin_bytes = run.builtin_bytes()
    return found
