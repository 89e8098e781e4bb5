"""A process that has preloaded the torch runtime and forks a child for each program: a zygote without any sandbox.

`python -m tests.runtimes.zygote`: takes lines `program-file folder` on standard input, answers each with the child's status. A file
named `bare` is executed as plain Python: what the learner would see if nothing were observed.
"""

import os
import signal
import sys
from pathlib import Path

import msgspec

from app.protocol.channel import Over
from app.protocol.records.record import Record
from app.protocol.records.registry import encode_record
from app.protocol.run import Program
from app.runtimes.positions import Sources
from app.runtimes.runtime import Runtime, load_runtime
from app.runtimes.torch.seeds import seed_all

DEADLINE_SECONDS = 60


class Report(msgspec.Struct):
    """What a child leaves in the file `report`; `tasks` are the zygote's threads, `modules` all that it has imported."""

    over: Over
    records: list[bytes]  # as JSON
    tasks: int
    modules: list[str]


def serve() -> None:
    runtime = load_runtime("torch")
    runtime.preload()
    runtime.warm_up()
    print("warm", flush=True)
    for line in sys.stdin:
        program, folder = line.split()
        child = os.fork()
        if child == 0:
            be_child(runtime, Path(program), Path(folder))
        print(os.waitpid(child, 0)[1], flush=True)


def be_child(runtime: Runtime, program_file: Path, folder: Path) -> None:
    status = 1
    try:
        signal.alarm(DEADLINE_SECONDS)
        tasks, modules = len(os.listdir("/proc/self/task")), sorted(sys.modules)
        redirect(folder)
        os.chdir(folder / "scratch")
        records: list[bytes] = []
        program = msgspec.msgpack.decode(program_file.read_bytes(), type=Program)

        def emit(record: Record) -> None:
            records.append(encode_record(record))

        over = execute_bare(program) if program_file.name == "bare" else runtime.execute(program, emit)
        (folder / "report").write_bytes(msgspec.msgpack.encode(Report(over, records, tasks, modules)))
        status = 0
    finally:
        os._exit(status)


def execute_bare(program: Program) -> Over:
    seed_all(program.seed)
    exec(compile(program.source.text, Sources().register(program.source), "exec"), {"__name__": "__main__"})
    sys.stdout.flush()
    return Over(ending="finished")


def redirect(folder: Path) -> None:
    """Descriptors 1 and 2 into files, with streams over them as a sandbox child has them; standard input is empty."""
    for descriptor, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT), descriptor)
        stream = os.fdopen(descriptor, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = os.fdopen(0, closefd=False)


if __name__ == "__main__":
    serve()
