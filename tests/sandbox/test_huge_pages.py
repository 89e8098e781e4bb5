"""Small pages are merged, in a process of its own."""

import subprocess
import sys

import pytest

MERGE = """
import mmap
from app.sandbox.zygote.huge_pages import merge_pages

def large_kibibytes():
    with open("/proc/self/smaps_rollup") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("AnonHugePages"))

memory = mmap.mmap(-1, 32 * 1024 * 1024, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory[::4096] = bytes(range(256)) * 32
before = large_kibibytes()
merge_pages()
assert memory[::4096] == bytes(range(256)) * 32
print(large_kibibytes() - before)
"""


def test_small_pages_become_large_ones_with_what_was_in_them() -> None:
    done = subprocess.run([sys.executable, "-c", MERGE], capture_output=True, text=True, check=True)
    if int(done.stdout) == 0:
        pytest.skip("this kernel makes no large pages of small ones, or has no memory in one piece")
    assert int(done.stdout) >= 24 * 1024
