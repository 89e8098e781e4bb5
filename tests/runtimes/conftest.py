"""Fixtures of the tests of the runtimes."""

from collections.abc import Iterator

import pytest

from tests.runtimes.children import Children


@pytest.fixture(scope="session")
def bare_children() -> Iterator[Children]:
    """Children of a process of plain Python: what a learner would see if no instrument were installed."""
    started = Children(bare=True)
    yield started
    started.close()
