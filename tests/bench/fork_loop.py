"""The bare loop: forks the warm state of a zygote, runs the snippet and exits, with as many children at once as there are cores.

It has no confinement and no HTTP. Started as `python -m tests.bench.fork_loop`. It answers a line `{"seconds": 5, "through": "exec"}`, or
`{"runs": 40, …}`, with the number of runs, the seconds, and the processor time of one run. Through "runtime" the snippet runs with the
instruments, as in a sandbox child; through "exec" it is only executed. The state is what the runtime loads and warms up, without what the
zygote does before it forks. It answers {"memory": true} with the memory that a forked child does not share, before and after it touched its
pages.
"""

import gc
import json
import math
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from app.protocol.run import Program, Source
from app.runtimes.runtime import Runtime, load_runtime
from app.runtimes.specs import SPECS
from tests.bench.plan import CORES
from tests.bench.processes import private_bytes
from tests.bench.snippet import SNIPPET


def run_bare() -> None:
    exec(compile(SNIPPET, "<source>", "exec"), {"__name__": "__main__"})


def fork(work: Callable[[], object]) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            work()
            os._exit(0)
        except BaseException as error:
            os.write(2, f"{error!r}\n".encode())
            os._exit(1)
    return pid


def loop(work: Callable[[], object], seconds: float = math.inf, runs: float = math.inf) -> dict[str, Any]:
    """Run for so many seconds, or so many times, with as many children at once as there are cores."""
    start, before = time.perf_counter(), os.times()
    begun = ended = 0
    while True:
        while begun - ended < CORES and begun < runs and time.perf_counter() - start < seconds:
            fork(work)
            begun += 1
        if begun == ended:
            break
        _, status = os.wait()
        ended += 1
        if status:
            raise RuntimeError(f"a child ended with status {status}")
    elapsed, after = time.perf_counter() - start, os.times()
    used = {"parent": sum(after[:2]) - sum(before[:2]), "children": sum(after[2:4]) - sum(before[2:4])}
    return {"runs": ended, "seconds": elapsed, "processor_ms": {who: 1000 * one / ended for who, one in used.items()}}


def weigh(touch: Callable[[], object]) -> dict[str, int | None]:
    """Return the unshared bytes of a waiting child, untouched and touched."""
    here, there = os.pipe(), os.pipe()

    def wait_twice() -> None:
        os.write(there[1], b".")
        os.read(here[0], 1)
        touch()
        os.write(there[1], b".")
        os.read(here[0], 1)

    pid = fork(wait_twice)
    os.read(there[0], 1)
    untouched = private_bytes(pid)
    os.write(here[1], b".")
    os.read(there[0], 1)
    touched = private_bytes(pid)
    os.write(here[1], b".")
    os.waitpid(pid, 0)
    for descriptor in (*here, *there):
        os.close(descriptor)
    return {"untouched": untouched, "touched": touched}


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    runtime: Runtime = load_runtime(SPECS["torch"])
    runtime.preload()
    runtime.warm_up()
    gc.collect()
    gc.disable()
    gc.freeze()
    program = Program(source=Source(text=SNIPPET))
    ways = {"exec": run_bare, "runtime": lambda: runtime.execute(program, lambda record: None)}
    print(json.dumps("warm"), file=answers, flush=True)
    for line in sys.stdin:
        question = json.loads(line)
        answer = weigh(runtime.touch) if "memory" in question else loop(ways[question.pop("through")], **question)
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
