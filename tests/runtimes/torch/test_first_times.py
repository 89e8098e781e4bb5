"""What usual programs need is imported before the fork, so that the first step of an optimizer takes no longer than the second."""

import pytest

from app.protocol.run import Program
from app.runtimes.framework_runtime import PLOTTING
from app.runtimes.torch.warm_up import TRAINING
from tests.runtimes.children import Children
from tests.runtimes.torch.first_times import FIRST_TIMES

BEFORE = "import sys as _sys\n_before = set(_sys.modules)\n"
AFTER = "\nprint('NEW', *sorted(set(_sys.modules) - _before))\n"
WARN = "import torch, warnings\ntorch.set_warn_always(True)\nwarnings.simplefilter('default')\n"


@pytest.mark.parametrize("name", FIRST_TIMES)
def test_a_program_imports_nothing_that_the_zygote_has_not(children: Children, name: str) -> None:
    ended = children.run(BEFORE + FIRST_TIMES[name] + AFTER)
    assert ended.over.error is None
    assert ended.stdout.splitlines()[-1] == "NEW"


@pytest.mark.parametrize("program", [TRAINING, PLOTTING], ids=["training", "plotting"])
def test_what_pays_the_first_times_ends_in_order_and_without_a_warning(children: Children, program: Program) -> None:
    ended = children.run(WARN + program.source.text)
    assert ended.over.error is None
    assert ended.stderr == ""
