"""Resolves the references of one text: its links, and its pictures in the lesson's folder."""

import posixpath
from collections.abc import Mapping

from app.lessons.markdown.directives import Report
from app.lessons.markdown.references import Reference, Resolve, Target
from app.lessons.model.model import Image
from app.lessons.texts.links import LinkError, Links
from app.lessons.toml.problem import suggest
from app.protocol.run import Lang


def make_resolver(links: Links, here: str, lang: Lang, images: Mapping[str, Image], report: Report, folder: str = "") -> Resolve:
    """Return a function that resolves a reference of one text. It reports a reference that leads nowhere.

    - `here` is the path of the lesson, to which links are relative.
    - `images` are the lesson's pictures by name.
    - `folder` is the text's folder within the lesson's, to which the addresses of pictures are relative.
    """

    def resolve(reference: Reference) -> Target | None:
        try:
            return _find_image(reference, images, folder) if reference.is_image else links.resolve(reference.target, here, lang)
        except LinkError as error:
            report(reference.line, str(error))
            return None

    return resolve


def _find_image(reference: Reference, images: Mapping[str, Image], folder: str) -> Target:
    written = reference.target
    path = posixpath.normpath(posixpath.join(folder, written))
    image = images.get(path.removeprefix("images/")) if path.startswith("images/") else None
    if image is None:
        known = [posixpath.relpath(f"images/{name}", folder or ".") for name in images]
        raise LinkError(f'there is no picture "{written}" in the lesson\'s folder images/{suggest(written, known)}')
    size = {"width": str(image.width), "height": str(image.height)}
    return Target(attributes={"src": image.address, "alt": "", **size, "loading": "lazy"})
