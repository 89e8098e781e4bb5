"""The data of every page, and its addresses in each language."""

from dataclasses import dataclass

from app.protocol.run import Lang

NAMES: dict[Lang, str] = {"en": "English", "zh-Hans": "中文"}


@dataclass(frozen=True, kw_only=True)
class Alternate:
    """The same page in one of the languages."""

    lang: Lang
    name: str
    url: str


@dataclass(frozen=True, kw_only=True)
class Page:
    """The data of every page. `script` is the name of its script in the manifest; `description` is for search engines and previews.

    - `term` is the word that people search for to find the page. It may be empty.
    - `origin` is the server's address as the browser knows it, such as "https://gradroom.example".
    - `path` is the page's address without the language and the query. It is None for a page that has no address of its own.
    - `indexed` says that search engines may list it.
    """

    lang: Lang
    title: str
    term: str
    description: str
    script: str
    alternates: tuple[Alternate, ...]
    origin: str
    path: str | None
    indexed: bool
    theme: str  # "light", "dark", or "" for what the system prefers


def list_alternates(path: str) -> tuple[Alternate, ...]:
    """Return the page in every language. `path` is its address without the language."""
    return tuple(Alternate(lang=lang, name=name, url=f"/{lang}/{path}") for lang, name in NAMES.items())
