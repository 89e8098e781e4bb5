"""Gives the links and pictures in texts their targets: lessons, sections, terms of the glossary, pages on other sites, and files."""

import posixpath
from collections.abc import Callable, Collection, Mapping, Sequence
from urllib.parse import unquote

from markdown_it.token import Token

from app.lessons.markdown.directives import Report
from app.lessons.markdown.parser import walk
from app.lessons.model.model import Image
from app.lessons.toml.problem import suggest
from app.protocol.run import Lang

SECTION_PREFIX = "section-"
TERM = "term:"
Attributes = dict[str, str | int | float]  # of an element, as Token has them
PLANNED: dict[Lang, str] = {"en": "(planned)", "zh-Hans": "（尚未写成）"}


class ReferenceFault(Exception):
    """A link or a picture leads nowhere. The message says why."""


class Links:
    """Resolves the links of a course.

    - `listed` and `planned` are the paths of lessons that the course lists, and of lessons that are still to be written.
    - `terms` are the ids of the glossary's terms.
    - `sections` returns the names of the sections of a listed lesson, or None if they cannot be read.
    """

    def __init__(
        self,
        listed: Collection[str],
        planned: Collection[str] = (),
        terms: Collection[str] = (),
        sections: Callable[[str], Sequence[str] | None] = lambda path: None,
    ) -> None:
        self.listed = listed
        self.planned = planned
        self.terms = terms
        self.sections = sections

    def knows(self, path: str) -> bool:
        """Return whether the course lists or plans the lesson with this path."""
        return path in self.listed or path in self.planned

    def describe_unknown(self, path: str) -> str:
        return f'there is no lesson "{path}", nor is it planned{suggest(path, [*self.listed, *self.planned])}'

    def resolve(self, target: str, here: str, lang: Lang) -> Attributes:
        """Return the attributes of a link in the lesson `here`; "" stands for the glossary. Raises ReferenceFault.

        A link to a planned lesson has the class "planned" and no address.
        """
        if target.startswith("https://"):
            return {"href": target}
        if target.startswith(TERM):
            return self._find_term(target.removeprefix(TERM), lang)
        if ":" in target.split("/")[0] or target.startswith("/"):
            raise ReferenceFault(f'expected a link to a lesson, like "../its-id", a term:its-id, or https://…, got "{unquote(target)}"')
        place, _, section = unquote(target).partition("#")
        lesson = posixpath.normpath(posixpath.join(here, place)) if place else here
        if lesson in self.planned:
            return {"class": "planned"}
        if lesson not in self.listed:
            near = [posixpath.relpath(path, here or ".") for path in (*self.listed, *self.planned) if path != here]
            raise ReferenceFault(f'there is no lesson "{place}"{suggest(place, near)}')
        path = "" if lesson == here and section else f"/{lang}/{lesson}"
        return {"href": path + (f"#{self._find_section(lesson, section)}" if section else "")}

    def _find_term(self, term: str, lang: Lang) -> Attributes:
        if term not in self.terms:
            raise ReferenceFault(f'there is no term "{term}" in glossary.toml{suggest(term, self.terms)}')
        return {"class": "term", "href": f"/{lang}/glossary#term-{term}", "data-term": term}

    def _find_section(self, lesson: str, section: str) -> str:
        known = self.sections(lesson)
        if known is not None and section not in known:
            raise ReferenceFault(f'there is no section "{section}" in {lesson}{suggest(section, known)}')
        return SECTION_PREFIX + section


class References:
    """The links and pictures in the texts of one lesson in one language.

    - `lesson` is its path, to which links are relative; "" stands for the glossary.
    - `images` are the lesson's pictures by name.
    - `terms` are the ids of the glossary's terms to which the texts link, each once.
    """

    def __init__(self, links: Links, lesson: str, lang: Lang, images: Mapping[str, Image]) -> None:
        self._links, self._lesson, self._lang, self._images = links, lesson, lang, images
        self.terms: dict[str, None] = {}

    def point(self, tokens: Sequence[Token], report: Report, folder: str = "") -> None:
        """Give every link and picture of a text its target, and report those that lead nowhere.

        Without a target, a link loses its address, and a picture becomes its alternative text. The addresses of pictures are relative to
        `folder`, the text's folder within the lesson's.
        """
        placed = list(walk(tokens))
        closes = iter([token for _, token, _ in placed if token.type == "link_close"])  # links do not stand in links
        for line, token, _ in placed:
            try:
                if token.type == "link_open":
                    self._point_link(token, next(closes))
                elif token.type == "image":
                    token.attrs = self._find_image(str(token.attrs.get("src", "")), folder)
            except ReferenceFault as fault:
                report(line, str(fault))
                token.attrs = {}
                if token.type == "image":
                    token.type, token.tag, token.children = "text", "", None

    def _point_link(self, token: Token, close: Token) -> None:
        written = str(token.attrs.get("href", ""))
        token.attrs = self._links.resolve(written, self._lesson, self._lang)
        if written.startswith(TERM):
            self.terms[written.removeprefix(TERM)] = None
        if "href" not in token.attrs:
            token.tag = "span"
            close.meta["html"] = f' <small class="planned-mark">{PLANNED[self._lang]}</small></span>'

    def _find_image(self, written: str, folder: str) -> Attributes:
        path = posixpath.normpath(posixpath.join(folder, written))
        image = self._images.get(path.removeprefix("images/")) if path.startswith("images/") else None
        if image is None:
            known = [posixpath.relpath(f"images/{name}", folder or ".") for name in self._images]
            raise ReferenceFault(f'there is no picture "{written}" in the lesson\'s folder images/{suggest(written, known)}')
        return {"src": image.address, "alt": "", "width": str(image.width), "height": str(image.height), "loading": "lazy"}
