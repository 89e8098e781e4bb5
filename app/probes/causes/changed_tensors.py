"""Finds the statement of `backward` that changes an incoming gradient or a saved tensor in place."""

from dataclasses import dataclass
from typing import Any

import torch

from app.probes.calls.prepared_call import ApplyCall, ReadSource
from app.probes.calls.watched import saved_on
from app.probes.causes.notes import find_statement
from app.probes.causes.trials import Incoming
from app.probes.observation import Observation


@dataclass
class Watched:
    """A tensor that `backward` may change. `version`: that before `backward`.

    `name`: the first local name of the tensor, or the attribute of ctx that it is; "" if there is none.
    """

    code: str
    tensor: torch.Tensor
    version: int
    name: str


def find_changed_tensor(call: ApplyCall, incoming: Incoming, read_source: ReadSource) -> Observation | None:
    """Return the first tensor that `backward` changes in place, with the statement that changes it.

    Returns None if it changes nothing, or its source is not known.
    """
    watched: list[Watched] = []
    changed: list[Watched] = []

    def watch(ctx: Any, given: list[torch.Tensor | None]) -> None:
        watched.extend(Watched("grad-output-mutated", each, each._version, "") for each in given if each is not None)
        watched.extend(Watched("saved-tensor-mutated", each, each._version, name_of(each, vars(ctx))) for each in saved_on(ctx))

    def has_changed(values: dict[str, Any]) -> bool:
        changed.extend(each for each in watched if each.tensor._version != each.version)
        for each in watched if not changed else ():
            each.name = each.name or name_of(each.tensor, values)
        return bool(changed)

    place = find_statement(call, incoming, read_source, has_changed, watch)
    if place is None:
        return None
    return Observation(changed[0].code, place, {"function": call.function.__name__, "name": changed[0].name})


def name_of(tensor: torch.Tensor, values: dict[str, Any]) -> str:
    return next((name for name, value in values.items() if value is tensor), "")
