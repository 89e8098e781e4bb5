"""Free blocks are allocated, in processes of their own because they are never freed."""

import subprocess
import sys

import pytest

GAPS = """
import sys
from app.sandbox.zygote.free_blocks import take_free_blocks

size = int(sys.argv[1])
kept = [bytes(size) for _ in range(40_000)]
gaps = {id(block) for block in kept[1::2]}
del kept[1::2]
if len(sys.argv) > 2:
    take_free_blocks()
fresh = [bytes(size) for _ in range(1_000)]
print(sum(id(block) in gaps for block in fresh))
"""


@pytest.mark.parametrize("size", [40, 400, 1_000, 3_000], ids=["small", "of Python's largest", "of malloc's", "of some kilobytes"])
def test_what_is_allocated_afterwards_fills_no_gap(size: int) -> None:
    assert gaps_filled(size) > 500
    assert gaps_filled(size, "taken") < 50


def test_standard_error_is_as_it_was() -> None:
    program = "import sys; from app.sandbox.zygote.free_blocks import take_free_blocks; take_free_blocks(); sys.stderr.write('on')"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stderr == "on"


def gaps_filled(size: int, *taken: str) -> int:
    done = subprocess.run([sys.executable, "-c", GAPS, str(size), *taken], capture_output=True, text=True, check=True)
    return int(done.stdout)
