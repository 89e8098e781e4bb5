"""The searches of queries.toml, and the results of a search for them."""

import tomllib
from pathlib import Path
from typing import NamedTuple

from app.protocol.run import Lang
from app.search.search import Search

AMONG = 3


class MadeQuery(NamedTuple):
    """A typical search. `right`: the places, without the language, one of which must be among the first three results."""

    q: str
    lang: Lang
    right: list[str]


def load_queries(name: str = "queries.toml") -> list[MadeQuery]:
    data = tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
    return [MadeQuery(**one) for one in data["query"]]


def find_first(search: Search, query: MadeQuery) -> list[str]:
    """Return the addresses of the first results, without the language."""
    return [result.url.removeprefix(f"/{query.lang}/") for result in search.find(query.q, query.lang, AMONG)]


def is_right(query: MadeQuery, urls: list[str]) -> bool:
    return any(url in query.right or url.partition("#")[0] in query.right for url in urls)
