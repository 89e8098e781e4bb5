"""Measures how much longer a program takes the first time in a child than the second: `python -m tests.bench.first_times [--bare]`.

It prints a line for each program: both times in milliseconds, their difference, and how many modules the first run imported. With `--bare`
only the most common lessons are warmed up before the fork.
"""

import gc
import os
import sys

import msgspec

from app.protocol.run import Program, Source
from app.runtimes.runtime import Runtime, load_runtime
from app.runtimes.specs import SPECS
from tests.bench.figures import measure_ms
from tests.runtimes.torch.first_times import FIRST_TIMES


class Twice(msgspec.Struct):
    """The times of two calls of one program in a child, and how many modules the first one imported."""

    first_ms: float
    second_ms: float
    modules: int


def run_twice(runtime: Runtime, text: str) -> Twice:
    program = Program(source=Source(text=text))
    runtime.touch()
    before = len(sys.modules)
    first = measure_ms(lambda: runtime.execute(program, lambda record: None))
    modules = len(sys.modules) - before
    return Twice(first, measure_ms(lambda: runtime.execute(program, lambda record: None)), modules)


def in_child(runtime: Runtime, text: str) -> Twice:
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            os.write(writer, msgspec.json.encode(run_twice(runtime, text)))
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader, "rb") as file:
        told = file.read()
    os.waitpid(pid, 0)
    return msgspec.json.decode(told, type=Twice)


def main() -> None:
    runtime = load_runtime(SPECS["torch"])
    runtime.preload()
    runtime.warm_up()
    if "--bare" not in sys.argv:
        runtime.complete()
    gc.collect()
    gc.freeze()
    for name, text in FIRST_TIMES.items():
        twice = in_child(runtime, text)
        print(
            f"{name:32} {twice.first_ms:7.1f} {twice.second_ms:7.1f} {twice.first_ms - twice.second_ms:7.1f} {twice.modules:4}", flush=True
        )


if __name__ == "__main__":
    main()
