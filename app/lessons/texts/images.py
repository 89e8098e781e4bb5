"""Loads and checks the pictures of a lesson, in its folder images/.

A picture's address changes with its content, so that browsers may cache it for long.
"""

import hashlib
import re
import struct
from pathlib import Path
from xml.etree import ElementTree

from app.lessons.model.model import Image
from app.lessons.toml.source import Reader

TYPES = {".svg": "image/svg+xml", ".png": "image/png"}
BYTES = 512 * 1024
NAME = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*\.(?:svg|png)")
PNG = b"\x89PNG\r\n\x1a\n"
ACTIVE = ("script", "foreignObject", "iframe", "image", "a", "animate", "set")
LENGTH = re.compile(r"\d+(?:\.\d+)?(?:px)?")


class ImageError(Exception):
    """A file is not a picture that a page can show. The message says why."""


def load_images(reader: Reader, lesson: str) -> dict[str, Image]:
    """Return the pictures of a lesson by their names, such as "chain.svg". Problems are reported."""
    images: dict[str, Image] = {}
    folder: Path = reader.folder / lesson / "images"
    for path in sorted(folder.glob("[!.]*")):
        file = f"{lesson}/images/{path.name}"
        try:
            images[path.name] = _load(path, file, lesson)
        except ImageError as error:
            reader.report(file, 1, str(error))
        except OSError as error:
            reader.report(file, 1, f"expected a picture: {error.strerror}")
    return images


def _load(path: Path, file: str, lesson: str) -> Image:
    if not NAME.fullmatch(path.name):
        raise ImageError(f'expected a picture whose name is like "chain-rule.svg" or "chain-rule.png", got "{path.name}"')
    data = path.read_bytes()
    if len(data) > BYTES:
        raise ImageError(f"expected at most {BYTES:,} bytes, got {len(data):,}")
    width, height = measure_png(data) if path.suffix == ".png" else measure_svg(data)
    digest = hashlib.sha256(data).hexdigest()[:12]
    return Image(
        file=file,
        media_type=TYPES[path.suffix],
        data=data,
        width=width,
        height=height,
        address=f"/lessons/{lesson}/images/{digest}/{path.name}",
    )


def measure_png(data: bytes) -> tuple[int, int]:
    """Return the width and height in pixels that the header gives (PNG specification, section 11.2.1). Raises ImageError."""
    if not data.startswith(PNG) or data[12:16] != b"IHDR" or len(data) < 24:
        raise ImageError("this is not a PNG")
    width, height = struct.unpack(">II", data[16:24])
    return int(width), int(height)


def measure_svg(data: bytes) -> tuple[int, int]:
    """Return the width and height in pixels that the root element's attributes give, or else its viewBox.

    Raises ImageError, also if the picture has scripts or would load other files.
    """
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise ImageError("expected an SVG without a DOCTYPE")
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise ImageError(f"this is not an SVG: {error}") from None
    if root.tag != "{http://www.w3.org/2000/svg}svg":
        raise ImageError('this is not an SVG: expected <svg xmlns="http://www.w3.org/2000/svg">')
    for element in root.iter():
        _check_element(element)
    return _size(root)


def _check_element(element: ElementTree.Element) -> None:
    name = str(element.tag).rpartition("}")[2]
    if name in ACTIVE:
        raise ImageError(f"<{name}> is not available in a picture")
    for key, value in element.attrib.items():
        attribute = key.rpartition("}")[2]
        if attribute.startswith("on") or (attribute == "href" and not value.startswith("#")):
            raise ImageError(f'{attribute}="{value}" is not available in a picture')


def _size(root: ElementTree.Element) -> tuple[int, int]:
    sizes = [root.get("width", ""), root.get("height", "")]
    if all(LENGTH.fullmatch(size) for size in sizes):
        width, height = (float(size.removesuffix("px")) for size in sizes)
        return round(width), round(height)
    box = re.split(r"[\s,]+", root.get("viewBox", "").strip())
    try:
        return round(float(box[2])), round(float(box[3]))
    except (IndexError, ValueError):
        raise ImageError('expected a viewBox="0 0 width height"') from None
