"""What the runtimes of all frameworks have in common: instruments, patches, the warm-up and the execution of a program.

Each framework has a runtime that extends this class; its module imports the framework. `preload` runs in the zygote, `execute` in the
child.
"""

import os
import platform
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
import numpy

from app.protocol.channel import Over, Shown
from app.protocol.grading import CheckResult, Examination, Verdict
from app.protocol.records.record import Record
from app.protocol.records.registry import encode_record
from app.protocol.run import Program, Source
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.instruments.instrument_set import InstrumentSet
from app.runtimes.patches.class_source import install_class_source
from app.runtimes.patches.refusals import install_refusals
from app.runtimes.patches.server_paths import install_server_paths
from app.runtimes.program import ProgramRun
from app.runtimes.recorder import Recorder
from app.runtimes.runtime import Emit, Link
from app.runtimes.silence import silence

# The first figure of a process takes long, so zygotes draw one.
_PLOTTING = """
import matplotlib.pyplot as plt
import numpy as np

_, axes = plt.subplots()
axes.plot(np.arange(3), "o-", label="$x^2$")
axes.imshow(np.eye(3))
axes.contour(np.eye(3))
axes.set(title="Warm-up", xlabel="x", ylabel="y")
axes.legend()
plt.show()
"""

PLOTTING = Program(source=Source(text=_PLOTTING, cell="warm-up"))


MakeInstruments = Callable[[Recorder], list[Instrument]]


class FrameworkRuntime:
    """The base class of all runtimes. `version` is the framework's version.

    The value of a trailing expression is offered to the instruments in their order, until one of them shows it.
    """

    name: str

    def __init__(self, version: str, make_instruments: MakeInstruments) -> None:
        self._recorder = Recorder()
        self.instruments = InstrumentSet(make_instruments(self._recorder))
        self.versions = {self.name: version, "python": platform.python_version()}
        self._run: ProgramRun | None = None

    def preload(self) -> None:
        install_class_source(self._recorder.sources)
        install_refusals()
        install_server_paths()
        self._install_patches()
        self.instruments.install()

    def complete(self) -> None:
        with self._leaving_no_trace():
            self._run_warm_up(PLOTTING)  # not in `touch`: most programs do not draw

    def execute(self, program: Program, emit: Emit) -> Over:
        self._prepare(program)
        # The attribute keeps the program's objects alive, so that no destructor of the learner's runs after the program.
        self._run = ProgramRun(program, self._recorder, self.instruments)
        return self._run.run(emit)

    def answer(self, request: bytes, link: Link) -> bytes:
        raise NotImplementedError(f"{self.name}: no exercises are graded with it")

    def examine(self, examination: Examination, link: Link, report: Callable[[CheckResult], None]) -> Verdict:
        raise NotImplementedError(f"{self.name}: no exercises are graded with it")

    def _install_patches(self) -> None:
        """Replace functions of the framework that cannot work in the sandbox. Runs in the zygote."""

    def _prepare(self, program: Program) -> None:
        """Seed all random generators and set the number of threads. Runs in the child, before the program."""
        random.seed(program.seed)
        numpy.random.seed(program.seed)

    def _run_warm_up(self, *programs: Program) -> None:
        """Execute programs, and drop their records and output."""
        encoder = msgspec.msgpack.Encoder()

        def drop(record: Record) -> None:
            encoder.encode(Shown(record=encode_record(record)))

        with silence():
            for program in programs:
                encoder.encode(self.execute(program, drop))

    @contextmanager
    def _leaving_no_trace(self) -> Iterator[None]:
        """Restore, after the block, the state of Python that programs in the block have changed. Runs in the zygote."""
        modules, arguments, path, environment = dict(sys.modules), sys.argv, list(sys.path), dict(os.environ)
        states = random.getstate(), numpy.random.get_state()
        yield
        self._run = None
        self._recorder.sources.forget()
        manager = sys.modules.get("matplotlib.font_manager")
        if manager is not None:  # otherwise each child would close the open font files, because matplotlib does so after a fork
            manager._get_font.cache_clear()
        random.setstate(states[0])
        numpy.random.set_state(states[1])
        sys.modules.update({name: modules[name] for name in ("__main__", "builtins")})
        sys.argv, sys.path[:] = arguments, path
        for name in os.environ.keys() - environment.keys():
            del os.environ[name]
        os.environ.update(environment)
