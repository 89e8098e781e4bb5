"""Fixtures of the tests of what the doctor finds."""

from collections.abc import Iterator

import pytest

from tests.runtimes.children import Children


@pytest.fixture(scope="module")
def children() -> Iterator[Children]:
    """Children of a process that has warmed up the torch runtime."""
    started = Children()
    yield started
    started.close()
