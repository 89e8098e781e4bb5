"""A search of the whole course."""

import pytest

from app.search.search import Search
from tests.own_course import load_own_course


@pytest.fixture(scope="session")
def search() -> Search:
    return Search(load_own_course())
