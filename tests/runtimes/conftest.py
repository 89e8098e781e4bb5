"""What the tests of the runtimes share."""

from collections.abc import Iterator

import pytest

from tests.runtimes.children import Children


@pytest.fixture(scope="session")
def children() -> Iterator[Children]:
    """A warm process to fork children from."""
    started = Children()
    yield started
    started.close()


@pytest.fixture(scope="session")
def bare_children() -> Iterator[Children]:
    """The same in plain Python: what a learner would see if nothing were observed."""
    started = Children(bare=True)
    yield started
    started.close()
