"""Fixtures of the tests of the JAX runtime."""

import pytest

from tests.programs import Programs
from tests.runtimes.framework_programs import FrameworkPrograms


@pytest.fixture(scope="session")
def jax_programs(programs: Programs) -> FrameworkPrograms:
    """Confined children that have imported JAX."""
    return FrameworkPrograms(programs, "jax")
