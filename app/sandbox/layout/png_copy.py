"""Decodes a PNG that a learner's process sent, and encodes its pixels anew. Runs in the layout process, confined.

Pillow's PNG plugin is the only one that is imported; no other format is ever tried.
"""

import io

from PIL.Image import frombytes
from PIL.PngImagePlugin import PngImageFile

from app.protocol.geometry import PngCopy, Refused
from app.protocol.records.figure import FIGURE_PIXELS, PNG_BYTES


class _PngFile(io.BytesIO):
    """By its name Pillow knows the format, and imports no plugin for others."""

    name = "figure.png"


def copy_png(png: bytes) -> PngCopy | Refused:
    """The pixels of a PNG, of its first frame alone, and nothing else that was in it."""
    try:
        with PngImageFile(io.BytesIO(png)) as image:
            if max(image.size) > FIGURE_PIXELS:  # nothing of it is decoded yet
                return Refused(reason=f"a PNG of {image.size[0]} x {image.size[1]} pixels")
            pixels = image.convert("RGBA")
        copy = encode_png(pixels.size, pixels.tobytes())
    except Exception as error:  # whatever a broken file makes of the decoder
        return Refused(reason=f"{type(error).__name__}: {error}"[:200])
    return PngCopy(png=copy) if len(copy) <= PNG_BYTES else Refused(reason=f"a PNG of {len(copy)} bytes")


def encode_png(size: tuple[int, int], pixels: bytes) -> bytes:
    """A PNG of `pixels`, four bytes each: red, green, blue and alpha."""
    file = _PngFile()
    frombytes("RGBA", size, pixels).save(file)
    return file.getvalue()
