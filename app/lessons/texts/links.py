"""Resolves the links in texts: to another lesson, a section, a term of the glossary, or a page on another site."""

import posixpath
from collections.abc import Collection, Mapping
from urllib.parse import unquote

from app.lessons.markdown.references import PLANNED, TERM, Target
from app.lessons.texts.text import SECTION_PREFIX
from app.lessons.toml.problem import suggest
from app.protocol.run import Lang


class LinkError(Exception):
    """A link leads nowhere. The message says why."""


class Links:
    """Resolves the links of a course.

    - `sections` maps the path of every listed lesson to the names of its sections, or to None if they could not be read.
    - `planned` are the paths of lessons that are still to be written.
    - `terms` are the ids of the glossary's terms.
    """

    def __init__(self, sections: Mapping[str, tuple[str, ...] | None], planned: Collection[str] = (), terms: Collection[str] = ()) -> None:
        self.sections = sections
        self.planned = planned
        self.terms = terms

    def knows(self, path: str) -> bool:
        """Return whether the course lists or plans the lesson with this path."""
        return path in self.sections or path in self.planned

    def describe_unknown(self, path: str) -> str:
        return f'there is no lesson "{path}", nor is it planned{suggest(path, [*self.sections, *self.planned])}'

    def resolve(self, target: str, here: str, lang: Lang) -> Target:
        """Return the target of a link in the lesson `here`; "" stands for the glossary. Raises LinkError."""
        if target.startswith("https://"):
            return Target(attributes={"href": target})
        if target.startswith(TERM):
            return self._find_term(target.removeprefix(TERM), lang)
        if ":" in target.split("/")[0] or target.startswith("/"):
            raise LinkError(f'expected a link to a lesson, like "../its-id", a term:its-id, or https://…, got "{unquote(target)}"')
        place, _, section = unquote(target).partition("#")
        lesson = posixpath.normpath(posixpath.join(here, place)) if place else here
        if lesson in self.planned:
            return Target(attributes={"class": "planned"}, mark=PLANNED[lang])
        if lesson not in self.sections:
            near = [posixpath.relpath(path, here or ".") for path in (*self.sections, *self.planned) if path != here]
            raise LinkError(f'there is no lesson "{place}"{suggest(place, near)}')
        self._check_section(lesson, section)
        path = "" if lesson == here and section else f"/{lang}/{lesson}"
        return Target(attributes={"href": path + (f"#{SECTION_PREFIX}{section}" if section else "")})

    def _find_term(self, term: str, lang: Lang) -> Target:
        if term not in self.terms:
            raise LinkError(f'there is no term "{term}" in glossary.toml{suggest(term, self.terms)}')
        return Target(attributes={"class": "term", "href": f"/{lang}/glossary#term-{term}", "data-term": term})

    def _check_section(self, lesson: str, section: str) -> None:
        known = self.sections[lesson]
        if section and known is not None and section not in known:
            raise LinkError(f'there is no section "{section}" in {lesson}{suggest(section, known)}')
