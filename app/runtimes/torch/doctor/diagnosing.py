"""Puts together what was found in a program: each mistake once. Runs in the child."""

from collections.abc import Iterable

from app.runtimes.torch.doctor.found import Found


def merge(found: Iterable[Found]) -> list[Found]:
    """Return each mistake once: what two found of the same Function, under the same code and name, becomes one."""
    merged: dict[tuple[str, str, object], Found] = {}
    for each in found:
        key = each.code, each.function, each.values.get("name", each.values.get("input"))
        before = merged.get(key)
        if before is None:
            merged[key] = each
            continue
        before.span = before.span or each.span
        before.values = {**each.values, **before.values}
        before.places = {**each.places, **before.places}
        before.evidence = list(dict.fromkeys([*before.evidence, *each.evidence]))
    return list(merged.values())
