"""Fixtures of the tests of the TensorFlow runtime."""

import pytest

from tests.programs import Programs
from tests.runtimes.framework_programs import FrameworkPrograms


@pytest.fixture(scope="session")
def tensorflow_programs(programs: Programs) -> FrameworkPrograms:
    """Confined children that have imported TensorFlow."""
    return FrameworkPrograms(programs, "tensorflow")
