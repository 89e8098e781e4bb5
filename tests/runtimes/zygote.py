"""A zygote without a sandbox: it has preloaded the torch runtime and forks a child for each program.

`python -m tests.runtimes.zygote`: takes lines `program-file folder` on standard input, answers each with `folder status-of-the-child`.
`python -m tests.runtimes.zygote bare`: the same in plain Python, without instruments and patches.
"""

import io
import os
import random
import signal
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path

import msgspec
import numpy
import torch

from app.protocol.channel import Over
from app.protocol.records.record import Record
from app.protocol.records.registry import encode_record
from app.protocol.run import Program
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.positions import Sources
from app.runtimes.recorder import Recorder
from app.runtimes.torch.torch_runtime import TorchRuntime, make_instruments
from app.runtimes.torch.warm_up import PROGRAMS, TRAINING
from tests.runtimes.children import Report
from tests.runtimes.instruments.toys import FailingInstrument, NamingInstrument, ShoutingInstrument, UnpreparedInstrument

DEADLINE_SECONDS = 60


def serve(runtime: TorchRuntime | None) -> None:
    if runtime is not None:
        runtime.preload()
        runtime.warm_up()
        runtime.complete()
    else:
        warm_up_bare()
    print("warm", flush=True)
    for line in sys.stdin:
        program, folder = line.split()
        child = os.fork()
        if child == 0:
            be_child(runtime, Path(program), Path(folder))
        print(folder, os.waitpid(child, 0)[1], flush=True)


def be_child(runtime: TorchRuntime | None, program_file: Path, folder: Path) -> None:
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

        over = runtime.execute(program, emit) if runtime is not None else execute_bare(program)
        (folder / "report").write_bytes(msgspec.msgpack.encode(Report(over, records, tasks, modules)))
        status = 0
    finally:
        os._exit(status)


def warm_up_bare() -> None:
    """Import what the runtime imports, so that no difference comes from the time of an import."""
    for program in (*PROGRAMS, TRAINING):
        with redirect_stdout(io.StringIO()), suppress(Exception):  # there is no `dot` command, and the second one fails by intent
            execute_bare(program)


def execute_bare(program: Program) -> Over:
    random.seed(program.seed)
    numpy.random.seed(program.seed)
    torch.default_generator.manual_seed(program.seed)
    exec(compile(program.source.text, Sources().register(program.source), "exec"), {"__name__": "__main__"})
    sys.stdout.flush()
    return Over(ending="finished")


def redirect(folder: Path) -> None:
    """Redirect descriptors 1 and 2 to files, with streams as in a sandbox child. Standard input is empty."""
    for descriptor, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT), descriptor)
        stream = os.fdopen(descriptor, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = os.fdopen(0, closefd=False)


def make_all(recorder: Recorder) -> list[Instrument]:
    toys = FailingInstrument, UnpreparedInstrument, NamingInstrument, ShoutingInstrument
    return [*(toy(recorder) for toy in toys), *make_instruments(recorder)]


if __name__ == "__main__":
    serve(None if "bare" in sys.argv else TorchRuntime(make_all))
