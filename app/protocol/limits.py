"""What one run may use. Units are in the names; every limit has a ceiling that no lesson can lift."""

from collections.abc import Mapping
from typing import Annotated, get_args, get_type_hints

import msgspec

MEBIBYTE = 1024 * 1024
SOURCE_BYTES = 65_536  # the longest source, as UTF-8
NUL = "\0"  # not allowed in a source: Python rejects it, and PostgreSQL cannot store it


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of one run; the defaults are the ones of the public API. `layout_seconds` is for all graphs of the run together."""

    deadline_seconds: Annotated[float, msgspec.Meta(gt=0, le=60)] = 10.0
    memory_bytes: Annotated[int, msgspec.Meta(ge=64 * MEBIBYTE, le=16384 * MEBIBYTE)] = 512 * MEBIBYTE
    output_bytes: Annotated[int, msgspec.Meta(ge=1024, le=64 * MEBIBYTE)] = MEBIBYTE
    records_bytes: Annotated[int, msgspec.Meta(ge=1024, le=64 * MEBIBYTE)] = 4 * MEBIBYTE
    scratch_bytes: Annotated[int, msgspec.Meta(ge=MEBIBYTE, le=4096 * MEBIBYTE)] = 64 * MEBIBYTE
    scratch_inodes: Annotated[int, msgspec.Meta(ge=16, le=1_000_000)] = 4096
    threads: Annotated[int, msgspec.Meta(ge=4, le=1024)] = 64
    compute_threads: Annotated[int, msgspec.Meta(ge=1, le=64)] = 1
    graph_nodes: Annotated[int, msgspec.Meta(ge=10, le=20_000)] = 2000
    layout_seconds: Annotated[float, msgspec.Meta(gt=0, le=60)] = 5.0

    @property
    def promised_bytes(self) -> int:
        """The most memory that the run can use: for its process, and for its files, which are in memory if the scratch is a tmpfs."""
        return self.memory_bytes + self.scratch_bytes


def mebibytes(size: int) -> str:
    """Return the number to be shown before "MiB" for a size in bytes: "512", "1,024", "0.5"."""
    return f"{size / MEBIBYTE:,g}"


ASKABLE = tuple(name for name in Limits.__struct_fields__ if name != "layout_seconds")  # limits that a lesson may ask for
_BOUNDS = {name: get_args(kind)[1] for name, kind in get_type_hints(Limits, include_extras=True).items()}


def bounds(name: str) -> tuple[int, int]:
    """Return the lowest and the highest value of a limit that is a whole number."""
    return _BOUNDS[name].ge, _BOUNDS[name].le


def grant(defaults: Limits, asked: Mapping[str, float], factor: float) -> Limits:
    """Return the server's limits, with those that a lesson asks for in their place.

    Each is at most `factor` times the server's limit and never above its ceiling. A deadline may be anything up to its ceiling.
    """
    granted = {name: min(value, _most(defaults, name, factor)) for name, value in asked.items()}
    return msgspec.structs.replace(defaults, **granted)


def find_excess(defaults: Limits, asked: Mapping[str, float], factor: float) -> dict[str, float]:
    """Return the limits for which a lesson asks for more than `grant` allows, each with the value that `grant` allows."""
    return {name: most for name, value in asked.items() if value > (most := _most(defaults, name, factor))}


def _most(defaults: Limits, name: str, factor: float) -> float:
    if name == "deadline_seconds":
        return float(_BOUNDS[name].le)
    return min(int(getattr(defaults, name) * factor), int(_BOUNDS[name].le))
