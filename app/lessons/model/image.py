"""A picture of a lesson in the form in which it is served."""

import msgspec


class Image(msgspec.Struct, frozen=True, kw_only=True):
    """A picture. `width` and `height` are in pixels, for the page to reserve its place. `address` is a path that begins with /lessons/."""

    file: str
    media_type: str
    data: bytes
    width: int
    height: int
    address: str
