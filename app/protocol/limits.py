"""What one run may use. Units are in the names; every limit has a ceiling that no lesson can lift."""

from typing import Annotated

import msgspec

MEBIBYTE = 1024 * 1024
SOURCE_BYTES = 65_536  # of one source, as UTF-8


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of one run; the defaults are the ones of the public API."""

    deadline_seconds: Annotated[float, msgspec.Meta(gt=0, le=60)] = 10.0
    memory_bytes: Annotated[int, msgspec.Meta(ge=64 * MEBIBYTE, le=16384 * MEBIBYTE)] = 512 * MEBIBYTE
    output_bytes: Annotated[int, msgspec.Meta(ge=1024, le=64 * MEBIBYTE)] = MEBIBYTE
    displays_bytes: Annotated[int, msgspec.Meta(ge=1024, le=64 * MEBIBYTE)] = 4 * MEBIBYTE
    scratch_bytes: Annotated[int, msgspec.Meta(ge=MEBIBYTE, le=4096 * MEBIBYTE)] = 64 * MEBIBYTE
    scratch_inodes: Annotated[int, msgspec.Meta(ge=16, le=1_000_000)] = 4096
    threads: Annotated[int, msgspec.Meta(ge=4, le=1024)] = 64
    graph_nodes: Annotated[int, msgspec.Meta(ge=10, le=20_000)] = 2000
    layout_seconds: Annotated[float, msgspec.Meta(gt=0, le=60)] = 5.0
