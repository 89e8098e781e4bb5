"""Each layer is tested: an attack succeeds if this one layer is left out, and fails if it is there.

Other layers that would stop the attack are left out both times (`besides`).
"""

import asyncio
import os
import select
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from app.protocol.outcome import Outcome
from app.runner.conversation.child_handle import ChildHandle
from app.sandbox.verification.verification import NotConfined
from tests.sandbox.layers.confined import LIMITS, SECRET, Tried, attempt_program, open_folder, ready_child, warm_zygote

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="leaving layers out takes root, which has them all")

WORKED = "ESCAPED"
CALL = "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nif {} >= 0: print('ESCAPED')"


class Attack(NamedTuple):
    """A program that prints whether it worked. FOLDER in it stands for a folder of the server."""

    layer: str
    text: str
    besides: tuple[str, ...] = ()
    as_user: bool = False


ATTACKS = {
    "socket": Attack("seccomp", "import socket; socket.socket(); print('ESCAPED')"),
    "fork": Attack("seccomp", "import os\nif os.fork() == 0: os._exit(0)\nprint('ESCAPED')"),
    "memfd": Attack("seccomp", "import os; os.memfd_create('x'); print('ESCAPED')"),
    "shared memory": Attack("seccomp", CALL.format("libc.shmget(0, 4096, 0o1600)")),
    "key rings": Attack("seccomp", CALL.format("libc.syscall(250, 0, -3, 1)")),
    "user namespace": Attack("seccomp", CALL.format("libc.unshare(0x10000000)")),
    "userfaultfd": Attack("seccomp", CALL.format("libc.syscall(323, 1)")),
    # to let go of itself (PTRACE_DETACH), which nobody holds (ESRCH): a process that is traced would be stopped by the next signal
    "ptrace": Attack("seccomp", CALL.format("libc.ptrace(17, os.getpid(), 0, 0) + (ctypes.get_errno() == 3)")),
    "32-bit gate": Attack(
        "seccomp",
        "import ctypes, mmap\n"
        "code = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)\n"
        r"code.write(b'\xb8\x14\x00\x00\x00\xcd\x80\xc3')" + "\n"
        "if ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))() > 0: print('ESCAPED')",
    ),
    "a pair of sockets sends descriptors": Attack(
        "seccomp", "import socket\nleft, right = socket.socketpair()\nsocket.send_fds(left, [b'x'], [0])\nprint('ESCAPED')"
    ),
    "a file outside": Attack("landlock", "open('/canary'); print('ESCAPED')"),
    "a folder outside": Attack("landlock", "import os; os.listdir('/'); print('ESCAPED')"),
    "a signal to the zygote": Attack("scopes", "import os; os.kill(os.getppid(), 0); print('ESCAPED')", ("namespaces",), as_user=True),
    "the host's files": Attack("namespaces", "import os\nif os.path.exists('/proc/meminfo'): print('ESCAPED')"),
    "a file of the server's": Attack("own uid", "open('FOLDER/secret'); print('ESCAPED')", ("landlock", "namespaces")),
    "rights over groups": Attack("capabilities", "import os; os.setgroups([0]); print('ESCAPED')", ("seccomp", "own uid")),
    "descriptors of the zygote": Attack(
        "descriptors",
        "import os\nfor number in range(4, 64):\n    try: os.fstat(number)\n    except OSError: continue\n    print('ESCAPED')",
    ),
    "more rights by exec": Attack("no_new_privs", CALL.format("0 - libc.prctl(39, 0, 0, 0, 0)"), ("seccomp", "landlock")),
    "being looked into": Attack("not dumpable", CALL.format("libc.prctl(3, 0, 0, 0, 0) - 1"), ("seccomp",), as_user=True),
    "memory": Attack("limit of memory", "block = bytearray(400 * 2**20); print('ESCAPED')", ("limit of processor time",)),
    "threads": Attack(
        "limit of tasks",
        "import threading\nthreading.stack_size(65536)\nrelease = threading.Event()\n"
        "for _ in range(40): threading.Thread(target=release.wait, daemon=True).start()\nprint('ESCAPED'); release.set()",
    ),
    "open files": Attack("limit of files", "import os\nkept = [os.dup(0) for _ in range(300)]\nprint('ESCAPED')"),
    "a large file": Attack("limit of file size", "open('f', 'wb').truncate(2**21); print('ESCAPED')", ("scratch size",)),
    "core files": Attack(
        "limit of core files",
        "import resource\nhard = resource.getrlimit(resource.RLIMIT_CORE)[1]\n"
        "resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))\nif hard: print('ESCAPED')",
    ),
    "processor time": Attack("limit of processor time", "import time\nwhile time.process_time() < 1.5: pass\nprint('ESCAPED', flush=True)"),
    "many files": Attack("scratch size", "for count in range(4):\n    open(f'f{count}', 'wb').write(bytes(2**19))\nprint('ESCAPED')"),
    "many names": Attack("scratch inodes", "for count in range(100):\n    open(f'f{count}', 'w').close()\nprint('ESCAPED')"),
}


async def attack(folder: Path, texts: Iterable[str], *left_out: str, as_user: bool = False) -> list[str]:
    """Return what the programs printed, each in a child without these layers."""
    printed = []
    async with warm_zygote(folder, *left_out, as_user=as_user) as zygote:
        for text in texts:
            async with ready_child(zygote) as child:
                printed.append((await attempt_program(child, text.replace("FOLDER", str(folder)))).stdout)
                child.kill()
                await child.exited
    return printed


@pytest.fixture(scope="module")
def printed_with_layers() -> dict[str, str]:
    """Return, by name, what an attack printed with its layer in place. Attacks with the same `besides` share a zygote."""
    settings = {(one.besides, one.as_user) for one in ATTACKS.values()}
    printed = {}
    with open_folder() as folder:
        for besides, as_user in settings:
            alike = {name: one.text for name, one in ATTACKS.items() if (one.besides, one.as_user) == (besides, as_user)}
            printed |= dict(zip(alike, asyncio.run(attack(folder, alike.values(), *besides, as_user=as_user)), strict=True))
    return printed


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_works_when_just_its_layer_is_left_out(printed_with_layers: dict[str, str], name: str) -> None:
    layer, text, besides, as_user = ATTACKS[name]
    if name in ("32-bit gate", "key rings", "userfaultfd") and os.uname().machine != "x86_64":
        pytest.skip("its numbers are those of x86_64")
    assert WORKED not in printed_with_layers[name]
    with open_folder() as folder:
        assert WORKED in asyncio.run(attack(folder, [text], *besides, layer, as_user=as_user))[0]


@pytest.mark.parametrize(
    "layer",
    [
        "seccomp",
        "landlock",
        "own uid",
        "not dumpable",
        "limit of memory",
        "limit of tasks",
        "limit of files",
        "limit of file size",
        "limit of core files",
        "limit of processor time",
    ],
)
def test_a_child_without_a_layer_is_refused_by_verification_alone(layer: str) -> None:
    as_user = layer == "not dumpable"  # a change of uid makes a process not dumpable by itself

    async def use(folder: Path) -> Tried:
        async with warm_zygote(folder, layer, as_user=as_user, verified=True) as zygote:
            with pytest.raises(NotConfined):
                async with ready_child(zygote):
                    pytest.fail("it is used")
            zygote.verified = False
            async with ready_child(zygote, slot=1) as child:
                return await attempt_program(child, "print('used')")

    with open_folder() as folder:
        assert asyncio.run(use(folder)).stdout == "used\n"


def test_a_fully_confined_child_is_used() -> None:
    async def use(folder: Path) -> Tried:
        async with warm_zygote(folder, verified=True) as zygote, ready_child(zygote) as child:
            return await attempt_program(child, "print('used')")

    with open_folder() as folder:
        assert asyncio.run(use(folder)).stdout == "used\n"


def test_without_a_clean_environment_the_servers_secrets_are_there() -> None:
    text = f"import os\nif '{SECRET}' in os.environ.values(): print('ESCAPED')"

    async def look(folder: Path, environment: dict[str, str]) -> str:
        async with warm_zygote(folder, environment=environment) as zygote, ready_child(zygote) as child:
            return (await attempt_program(child, text)).stdout

    with open_folder() as folder:
        assert WORKED not in asyncio.run(look(folder, {}))
        assert WORKED in asyncio.run(look(folder, {"GRADROOM_COOKIE_SECRET": SECRET}))


@pytest.mark.parametrize(
    ("text", "limits", "outcome"),
    [
        ("import time; time.sleep(0.5); print('ESCAPED')", {"deadline_seconds": 0.2}, Outcome.TIMED_OUT),
        ("import time; print('x' * 5000, flush=True); time.sleep(0.5); print('ESCAPED')", {"output_bytes": 1024}, Outcome.OUTPUT_LIMIT),
    ],
)
def test_the_supervisors_limits_hold_and_without_them_the_program_goes_on(text: str, limits: dict[str, int], outcome: Outcome) -> None:
    async def both(folder: Path) -> list[Tried]:
        attempts = []
        async with warm_zygote(folder) as zygote:
            for chosen in (msgspec.structs.replace(LIMITS, **limits), LIMITS):
                async with ready_child(zygote) as child:
                    attempts.append(await attempt_program(child, text, chosen))
                    child.kill()
                    await child.exited
        return attempts

    with open_folder() as folder:
        limited, unlimited = asyncio.run(both(folder))
    assert limited.outcome == outcome
    assert WORKED not in limited.stdout
    assert WORKED in unlimited.stdout


@pytest.mark.parametrize("left_out", [(), ("death signal",)])
def test_the_death_signal_ends_a_child_with_its_zygote(left_out: tuple[str, ...]) -> None:
    """A pid namespace would end the child, too, so the test has none."""

    @asynccontextmanager
    async def sleeping(folder: Path) -> AsyncIterator[int]:
        """Return a descriptor of a child whose zygote was just killed."""
        async with warm_zygote(folder, "namespaces", *left_out) as zygote, ready_child(zygote) as child:
            assert child._pidfd is not None
            pidfd = os.dup(child._pidfd)
            started = asyncio.ensure_future(attempt_program(child, "import time\nprint('on', flush=True)\ntime.sleep(60)"))
            await says_something(child)
            zygote._process.kill()
            zygote._process.wait()
            try:
                yield pidfd
            finally:
                started.cancel()
                os.close(pidfd)

    async def survives(folder: Path) -> bool:
        async with sleeping(folder) as pidfd:
            return not select.select([pidfd], [], [], 0.5 if left_out else 10)[0]

    with open_folder() as folder:
        assert asyncio.run(survives(folder)) == bool(left_out)


async def says_something(child: ChildHandle) -> None:
    while not child.stdout.bytes_read:
        await asyncio.sleep(0.01)
