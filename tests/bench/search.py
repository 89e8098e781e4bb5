"""Measures what the search costs: the time to make its index, its memory, and the server time of typical searches.

The web app is called as uvicorn calls it, without a connection, so that a figure is the server's own time.
"""

import os
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from fastapi import FastAPI

from app.lessons.course.catalogue import load_catalogue
from app.main import create_app
from app.search.search import Search
from app.settings import PROJECT, Settings
from tests.bench.figures import measure_ms, say, summarise
from tests.bench.plan import Plan
from tests.bench.processes import private_bytes
from tests.bench.server import Server
from tests.bench.term import RATES, Caller, closing
from tests.bench.worker import Worker
from tests.search.made_queries import load_queries
from tests.web.fake_runner import FakeRunner

MEBIBYTE = 1024 * 1024
TIMES = 5
HOSTILE = (
    " ".join(f"gradient{number} leaf" for number in range(1000)),
    "x" * 30_000,
    "梯度计算图" * 3000,
    " ".join(chr(0x4E00 + number * 7 % 2000) * 3 for number in range(3000)),
    "RuntimeError: " * 2000,
)


async def measure_search(_: Server, __: Worker, ___: Plan) -> dict[str, Any]:
    """Return the figures in milliseconds and MiB. Each search is repeated, and its fastest time counts, because the machine may be busy.

    `queries` are the searches of tests/search/queries.toml, `hostile` those of somebody who wants to waste time.
    """
    catalogue = load_catalogue(PROJECT / "lessons")
    before = private_bytes(os.getpid())
    Search(catalogue).prepare()
    after = private_bytes(os.getpid())
    index_ms = min(measure_ms(Search(catalogue).prepare) for _ in range(TIMES))
    say("  searches")
    asked = [{"q": query.q, "lang": query.lang} for query in load_queries()]
    with tempfile.TemporaryDirectory(prefix="gradroom-bench-") as folder:
        app = create_app(Settings(state_folder=Path(folder), log_level="warning", **RATES), FakeRunner(), catalogue)  # type: ignore[arg-type]
        await app.state.services.search.prepare()
        async with closing(app):
            figures = {
                "queries": summarise([await time_fastest(app, f"/api/search?{urlencode(one)}") for one in asked]),
                "page": summarise([await time_fastest(app, f"/{one['lang']}/search?{urlencode({'q': one['q']})}") for one in asked]),
                "hostile": summarise([await time_fastest(app, f"/api/search?{urlencode({'q': text})}") for text in HOSTILE]),
            }
    taken = round((after - before) / MEBIBYTE, 1) if before and after else None
    return figures | {"index_ms": round(index_ms), "index_mib": taken, "slowest_ms": figures["queries"]["max_ms"]}


async def time_fastest(app: FastAPI, path: str) -> float:
    """Return the fastest time of several requests, in milliseconds."""
    caller = Caller(app, "")
    for _ in range(TIMES):
        await caller.ask("search", "GET", path)
    return min(caller.samples_ms["search"])
