"""A picture of a lesson, as it is served."""

import msgspec


class Image(msgspec.Struct, frozen=True, kw_only=True):
    """One picture; `width` and `height` are in pixels, so that a page keeps its place; `address` begins with /lessons/."""

    file: str
    media_type: str
    data: bytes
    width: int
    height: int
    address: str
