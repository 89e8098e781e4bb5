"""Decodes a PNG that a learner's process sent, and encodes its pixels again. Runs in the layout process.

Only Pillow's PNG plugin is imported, so no other format is decoded.
"""

import io

from PIL.Image import frombytes
from PIL.PngImagePlugin import PngImageFile

from app.protocol.geometry import PngCopy, Refused
from app.protocol.records.figure import FIGURE_PIXELS, PNG_BYTES


class _PngFile(io.BytesIO):
    """A file whose name tells Pillow that it is a PNG. So Pillow imports no plugins for other formats."""

    name = "figure.png"


def copy_png(png: bytes) -> PngCopy | Refused:
    """Return a PNG with the pixels of the first frame, and nothing else of the original."""
    try:
        with PngImageFile(io.BytesIO(png)) as image:
            if max(image.size) > FIGURE_PIXELS:  # no pixel is decoded yet
                return Refused(reason=f"a PNG of {image.size[0]} x {image.size[1]} pixels")
            pixels = image.convert("RGBA")
        copy = encode_png(pixels.size, pixels.tobytes())
    except Exception as error:  # the decoder may raise anything for a broken file
        return Refused(reason=f"{type(error).__name__}: {error}"[:200])
    return PngCopy(png=copy) if len(copy) <= PNG_BYTES else Refused(reason=f"a PNG of {len(copy)} bytes")


def encode_png(size: tuple[int, int], pixels: bytes) -> bytes:
    """Return a PNG of `pixels`, which have four bytes each: red, green, blue and alpha."""
    file = _PngFile()
    frombytes("RGBA", size, pixels).save(file)
    return file.getvalue()
