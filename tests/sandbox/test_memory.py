"""Each memory bomb ends as it must, in each setting, and the next run works."""

import pytest

from app.protocol.limits import MEBIBYTE, Limits
from app.protocol.outcome import Outcome
from tests.programs import Programs

LIMITS = Limits(memory_bytes=128 * MEBIBYTE)

BOMBS = {
    "bytes": "kept = []\nwhile True: kept.append(bytearray(10**6))",
    "one block": "bytearray(10**10)",
    "text": "text = 'x'\nwhile True: text += text",
    "many small objects": "kept = []\nwhile True: kept.append([object()])",
    "a growing dict": "kept = {}\nwhile True: kept[len(kept)] = str(len(kept))",
    "tensors": "import torch\nkept = []\nwhile True: kept.append(torch.ones(10**5))",
    "one tensor": "import torch\ntorch.empty(10**12)",
    "arrays": "import numpy\nkept = []\nwhile True: kept.append(numpy.ones(10**5))",
    "private mappings": (
        "import mmap\nkept = []\nwhile True:\n"
        "    kept.append(mmap.mmap(-1, 2**22, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))\n    kept[-1].write(bytes(2**22))"
    ),
    "a hoarder who goes on": (
        "import torch\nkept = []\n"
        "for size in (10**6, 10**4, 100):\n    try:\n        while True: kept.append(bytearray(size))\n    except MemoryError: pass\n"
        "torch.ones(1000, 1000) @ torch.ones(1000, 1000)"
    ),
    "C++ that aborts": (
        "import ctypes\nnew = ctypes.CDLL('libstdc++.so.6')._Znwm\n"
        "new.argtypes, new.restype = [ctypes.c_size_t], ctypes.c_void_p\nnew(2**40)"
    ),
}


@pytest.fixture(params=["programs", "ordinary_programs"])
def each_programs(request: pytest.FixtureRequest) -> Programs:
    """Return a runner of the tests' own user, then one of an ordinary user without control groups."""
    running: Programs = request.getfixturevalue(request.param)
    return running


@pytest.mark.parametrize("source", BOMBS.values(), ids=BOMBS)
def test_a_memory_bomb_ends_as_out_of_memory(each_programs: Programs, source: str) -> None:
    result = each_programs.run(source, LIMITS)
    assert result.outcome == Outcome.OUT_OF_MEMORY
    assert result.error is not None and result.error.explanation
    assert each_programs.run("print('next')").stdout == "next\n"


# programs that use up something else: then Python or the kernel reports another error
OTHERS = {
    "endless recursion": ("def down(): down()\ndown()", {Outcome.RAISED}),
    "recursion without its limit": (
        "import sys\nsys.setrecursionlimit(10**9)\ndef down(n): return down(n + 1)\ndown(0)",
        {Outcome.RAISED, Outcome.OUT_OF_MEMORY, Outcome.CRASHED},
    ),
    "recursion in C": ("import ctypes\nkept = []\nfor _ in range(10**6): kept = [kept]\nrepr(kept)", {Outcome.RAISED, Outcome.CRASHED}),
    "threads with large stacks": (
        "from threading import *\nstack_size(2**26)\nwait = Event().wait\nfor _ in range(60): Thread(target=wait, daemon=True).start()",
        {Outcome.RAISED, Outcome.OUT_OF_MEMORY},
    ),
}


@pytest.mark.parametrize(("source", "outcomes"), OTHERS.values(), ids=OTHERS)
def test_what_only_resembles_a_memory_bomb_ends_too(each_programs: Programs, source: str, outcomes: set[Outcome]) -> None:
    assert each_programs.run(source, LIMITS).outcome in outcomes
    assert each_programs.run("print('next')").stdout == "next\n"


def test_memory_that_no_limit_counts_cannot_be_mapped(each_programs: Programs) -> None:
    source = (
        "import mmap, os\n"
        "for flags in (mmap.MAP_SHARED | mmap.MAP_ANONYMOUS, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100, 0x40000 | 0x22):\n"
        "    try: mmap.mmap(-1, 4096, flags)\n"
        "    except PermissionError as error: print(error)\n"
        "try: os.open('/dev/zero', os.O_RDWR)\n"
        "except OSError: print('no /dev/zero')\n"
    )
    assert each_programs.run(source).stdout == "[Errno 1] Operation not permitted\n" * 3 + "no /dev/zero\n"


def test_the_frameworks_own_read_only_memory_counts_once_it_is_made_writable(each_programs: Programs) -> None:
    """The zygote maps libtorch privately and read-only: a child could make its hundreds of megabytes writable."""
    source = (
        "import ctypes, os, torch\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]\n"
        "library = ctypes.CDLL(os.path.dirname(torch.__file__) + '/lib/libtorch_cpu.so')\n"
        "here = ctypes.cast(library.aoti_torch_device_type_cpu, ctypes.c_void_p).value & ~4095\n"
        "for mebibytes in range(1, 81):\n"
        "    if libc.mprotect(here - mebibytes * 2**20, 2**20, 3): break\n"
        "os.write(1, b'%d %d' % (mebibytes, ctypes.get_errno()))\n"
        "os._exit(0)"
    )
    mebibytes, errno = map(int, each_programs.run(source, Limits(memory_bytes=64 * MEBIBYTE)).stdout.split())
    assert errno == 12
    assert mebibytes <= 64


def test_files_can_be_mapped_and_are_no_memory_of_ones_own(each_programs: Programs) -> None:
    source = (
        "import mmap, tempfile\n"
        "with open('data', 'wb+') as file:\n"
        "    file.truncate(2**24)\n    mapped = mmap.mmap(file.fileno(), 2**24)\n    mapped[:] = bytes([7]) * 2**24\n"
        "with tempfile.TemporaryFile() as file: file.write(bytes(2**20))\n"
        "import numpy\nkept = numpy.memmap('array', dtype='uint8', mode='w+', shape=2**20)\nkept[:] = 3\n"
        "print(open('data', 'rb').read(1), int(kept.sum()))"
    )
    assert each_programs.run(source).stdout == "b'\\x07' 3145728\n"


def test_half_of_the_memory_is_there_to_be_used(each_programs: Programs) -> None:
    source = "import torch\nkept = torch.ones(64 * 2**20 // 4)\nprint(int(kept.sum()))"
    assert each_programs.run(source, LIMITS).stdout == f"{16 * 2**20}\n"


def test_copies_of_the_zygotes_memory_are_counted_by_the_group_alone(programs: Programs) -> None:
    """No limit of a process counts them, so the kernel kills the process because of its group's limit."""
    report = programs.status().sandbox
    assert report is not None
    layer = next(layer for layer in report.layers if layer.name == "cgroup")
    if "memory" not in layer.detail or not layer.active:
        pytest.skip(layer.detail)
    source = (
        "import ctypes, gc\n"
        "with open('fill', 'wb') as file:\n    for _ in range(60): file.write(bytes(2**20))\n"
        "kept = bytearray(b'x') * (40 * 2**20)\n"
        "libc = ctypes.CDLL(None)\nlibc.sbrk.restype, libc.sbrk.argtypes = ctypes.c_void_p, [ctypes.c_ssize_t]\n"
        "gc.unfreeze()\n"
        "end = libc.sbrk(0) >> 12\n"
        "begin = min(page for one in gc.get_objects() if end - 30_000 < (page := id(one) >> 12) < end)\n"
        "for page in range(begin, end):\n    byte = ctypes.c_ubyte.from_address(page << 12)\n    byte.value = byte.value\n"
    )
    result = programs.run(source, Limits(memory_bytes=64 * MEBIBYTE))
    assert (result.outcome, result.error.message) == (Outcome.OUT_OF_MEMORY, "killed for its use of memory")
    assert programs.run("print('next')").stdout == "next\n"
