"""Fixtures of the tests of drawing: a layout with both workers."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from app.protocol.limits import Limits
from app.protocol.records.graph import GraphRecord
from app.runner.drawing.layout_workers import LayoutWorkers
from app.runner.drawing.pictures import Pictures

UID = 65_001 if os.geteuid() == 0 else None
UNHURRIED = Limits(layout_seconds=60)  # long, because the machine may be busy; tests.load.large_graphs measures

WithLayouts = Callable[[Callable[[LayoutWorkers], Awaitable[Any]]], Any]
Draw = Callable[[GraphRecord], GraphRecord]


@pytest.fixture(scope="module")
def with_layouts() -> Iterator[WithLayouts]:
    """Yield a function that calls another with a layout. All tests of a file share the layout."""
    layout = LayoutWorkers(UID)

    async def give(use: Callable[[LayoutWorkers], Awaitable[Any]]) -> Any:
        return await use(layout)

    with asyncio.Runner() as loop:
        loop.run(layout.start())
        yield lambda use: loop.run(give(use))
        loop.run(layout.close())


@pytest.fixture(scope="module")
def draw(with_layouts: WithLayouts) -> Draw:
    """Return a function that returns a record with its picture, however long that takes."""
    return lambda record: with_layouts(lambda layout: Pictures(layout, UNHURRIED, "en").complete(record))
