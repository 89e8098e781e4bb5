"""Where a link in a lesson's text leads: another lesson, a section, or a page elsewhere."""

import posixpath
from collections.abc import Mapping
from urllib.parse import unquote

from app.lessons.problem import suggest
from app.lessons.text import SECTION_PREFIX
from app.protocol.run import Lang


class LinkError(Exception):
    """The link leads nowhere; the message says why."""


class Links:
    """Resolves the links of a course. `sections` has every listed lesson's path, with its sections' names, or None where unknown."""

    def __init__(self, sections: Mapping[str, tuple[str, ...] | None]) -> None:
        self.sections = sections

    def resolve(self, target: str, here: str, lang: Lang) -> str:
        """The address of `target` as written in the lesson `here`. Raises LinkError."""
        if target.startswith("https://"):
            return target
        if ":" in target.split("/")[0] or target.startswith("/"):
            raise LinkError(f'expected a link to a lesson, like "../its-id", or https://…, got "{unquote(target)}"')
        place, _, section = unquote(target).partition("#")
        lesson = posixpath.normpath(posixpath.join(here, place)) if place else here
        if lesson not in self.sections:
            near = [posixpath.relpath(path, here) for path in self.sections if path != here]
            raise LinkError(f'there is no lesson "{place}"{suggest(place, near)}')
        self._check_section(lesson, section)
        path = "" if lesson == here and section else f"/{lang}/{lesson}"
        return path + (f"#{SECTION_PREFIX}{section}" if section else "")

    def _check_section(self, lesson: str, section: str) -> None:
        known = self.sections[lesson]
        if section and known is not None and section not in known:
            raise LinkError(f'there is no section "{section}" in {lesson}{suggest(section, known)}')
