"""Runs programs in children of the test zygote, and reads what they did."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, cast

import msgspec

from app.protocol.channel import Over
from app.protocol.records.figure import FigureRecord
from app.protocol.records.gradcheck import GradcheckRecord
from app.protocol.records.graph import GraphRecord
from app.protocol.records.record import Record
from app.protocol.records.registry import decode_record
from app.protocol.records.value import ValueRecord
from app.protocol.run import Program, RunError, Source


class Report(msgspec.Struct):
    """The file `report` of a child. `tasks` is the zygote's number of threads, `modules` what the child has imported."""

    over: Over
    records: list[bytes]  # as JSON
    tasks: int
    modules: list[str]


@dataclass
class Ended:
    """How one program ended, its records and output, and the files that it left."""

    over: Over
    records: list[Record]
    stdout: str
    stderr: str
    files: dict[str, bytes]
    tasks: int
    modules: list[str]

    @property
    def error(self) -> RunError:
        assert self.over.error is not None
        return self.over.error

    @property
    def graphs(self) -> list[GraphRecord]:
        return [record for record in self.records if isinstance(record, GraphRecord)]

    @property
    def checks(self) -> list[GradcheckRecord]:
        return [record for record in self.records if isinstance(record, GradcheckRecord)]

    @property
    def figures(self) -> list[FigureRecord]:
        return [record for record in self.records if isinstance(record, FigureRecord)]

    @property
    def values(self) -> list[ValueRecord]:
        return [record for record in self.records if isinstance(record, ValueRecord)]


class Children:
    """Forks a child for each program from one warm process. With `bare` the programs run as plain Python."""

    def __init__(self, bare: bool = False) -> None:
        self._zygote = subprocess.Popen(
            [sys.executable, "-m", "tests.runtimes.zygote", *(["bare"] if bare else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"},
        )
        self._ask, self._answer = cast("IO[str]", self._zygote.stdin), cast("IO[str]", self._zygote.stdout)
        assert self._answer.readline() == "warm\n"

    def run(self, text: str, *replay: Source, cell: str | None = None, seed: int = 0, threads: int = 1) -> Ended:
        """Run one source in a new child, after the sources to be replayed. Fails if the child dies."""
        return self.run_program(Program(source=Source(text=text, cell=cell), replay=list(replay), seed=seed, threads=threads))

    def run_program(self, program: Program) -> Ended:
        with TemporaryDirectory() as path:
            folder = Path(path)
            scratch = folder / "scratch"
            scratch.mkdir()
            (folder / "program").write_bytes(msgspec.msgpack.encode(program))
            self._ask.write(f"{folder / 'program'} {folder}\n")
            self._ask.flush()
            status = self._status_of(folder)
            stdout, stderr = ((folder / stream).read_text() for stream in ("stdout", "stderr"))
            assert status == 0, f"the child ended with status {status}\n{stderr}"
            report = msgspec.msgpack.decode((folder / "report").read_bytes(), type=Report)
            files = {path.name: path.read_bytes() for path in scratch.iterdir() if path.is_file()}
        return Ended(report.over, [decode_record(record) for record in report.records], stdout, stderr, files, report.tasks, report.modules)

    def _status_of(self, folder: Path) -> int:
        """Read until the answer is about this folder: if a test was interrupted, the answer to it comes first."""
        while (line := self._answer.readline()) and line.split()[0] != str(folder):
            pass
        assert line, "the zygote has ended"
        return int(line.split()[1])

    def close(self) -> None:
        self._ask.close()
        self._zygote.wait(10)
        self._answer.close()


def pairs_of(check: GradcheckRecord) -> list[tuple[int, int]]:
    """Return which outputs were compared by which inputs."""
    return [(pair.output, pair.input) for pair in check.pairs]
