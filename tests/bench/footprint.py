"""Measures memory: that of the zygote, and what a waiting child adds to it."""

import time
from typing import Any

from tests.bench.plan import Plan
from tests.bench.processes import ZYGOTE, command, descendants, parent, private_bytes, pss_bytes
from tests.bench.server import Server
from tests.bench.worker import Worker

MEBIBYTE = 1024 * 1024
SETTLE_SECONDS = 10.0


async def measure_footprint(server: Server, forks: Worker, _: Plan) -> dict[str, Any]:
    """Return the figures in MiB. `spares` are those of the idle server.

    The two bare children are forked from the same warm state, unconfined.
    """
    forked = [pid for pid in descendants(server.pid) if ZYGOTE in command(pid)]  # all keep the first one's command line
    if len(forked) < 2:
        return {"error": "no zygote with children among the server's processes"}
    zygote = parent(forked[-1])  # the deepest are the spares
    spares = [pid for pid in forked if parent(pid) == zygote]
    spare_bytes = sorted(size for pid in spares if (size := private_bytes(pid)) is not None)
    bare = forks.ask({"memory": True})
    return {
        "zygote_pss_mib": mebibytes(pss_bytes(zygote)),
        "zygote_private_mib": mebibytes(private_bytes(zygote)),
        "spares": len(spares),
        "spare_mib": mebibytes(spare_bytes[len(spare_bytes) // 2]) if spare_bytes else None,
        "spare_private_mib": [mebibytes(size) for size in spare_bytes],
        "bare_child_untouched_private_mib": mebibytes(bare["untouched"]),
        "bare_child_touched_private_mib": mebibytes(bare["touched"]),
        "all_processes_pss_mib": {name_of(pid): mebibytes(pss_bytes(pid)) for pid in [server.pid, *descendants(server.pid)]},
    }


def settle(server: Server) -> None:
    """Wait, for a limited time, until the number of processes and their sizes no longer change: then the spares have been touched."""
    deadline = time.monotonic() + SETTLE_SECONDS
    before: list[int | None] = []
    while time.monotonic() < deadline:
        now = [private_bytes(pid) for pid in descendants(server.pid)]
        if now == before:
            return
        before = now
        time.sleep(1)


def name_of(pid: int) -> str:
    words = command(pid).split()
    return f"{pid} {' '.join(word for word in words[1:] if not word.startswith(('-', '/')))[:60]}"


def mebibytes(size: int | None) -> float | None:
    return None if size is None else round(size / MEBIBYTE, 1)
