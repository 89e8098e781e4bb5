"""The searches of queries.toml, and which of them a search answers."""

import tomllib
from pathlib import Path
from typing import NamedTuple

from app.protocol.run import Lang
from app.search.search import Search

AMONG = 3


class MadeQuery(NamedTuple):
    """A search as somebody makes it. `right`: places one of which is to be among the first three, without the language."""

    q: str
    lang: Lang
    right: list[str]


def load_queries(name: str = "queries.toml") -> list[MadeQuery]:
    data = tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
    return [MadeQuery(**one) for one in data["query"]]


def find_first(search: Search, query: MadeQuery) -> list[str]:
    """The addresses of the first results, without the language."""
    return [result.url.removeprefix(f"/{query.lang}/") for result in search.find(query.q, query.lang, AMONG)]


def is_right(query: MadeQuery, urls: list[str]) -> bool:
    return any(url in query.right or url.partition("#")[0] in query.right for url in urls)
