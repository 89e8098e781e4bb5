"""What a learner is told of how a run ended."""

import pytest

from app.protocol.outcome import Outcome
from tests.programs import Programs


def test_a_program_that_raises_memory_error_itself_is_told_so(programs: Programs) -> None:
    result = programs.run("def f():\n    raise MemoryError('of my own')\nf()")
    assert result.outcome == Outcome.OUT_OF_MEMORY
    assert result.error.explanation == (
        "The program raises MemoryError itself, in this line. That does not show that it used too much: it may use 512 MiB."
    )


@pytest.mark.parametrize("source", ["x = ' ' * 10**18", "raise ValueError(' ' * 10**18)", "import torch\ntorch.empty(10**15)"])
def test_lack_of_memory_is_told_with_its_limit(programs: Programs, source: str) -> None:
    result = programs.run(source)
    assert result.outcome == Outcome.OUT_OF_MEMORY
    assert result.error.explanation == "The program needs more memory than the 512 MiB that it may use. Try smaller tensors."
