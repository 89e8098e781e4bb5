"""The torch runtime: what a torch zygote preloads, and how its children run a program."""

import platform
import random
import sys
from typing import Any

import msgspec
import numpy
import torch

from app.protocol.channel import Over, Shown
from app.protocol.records.record import Record
from app.protocol.records.registry import encode_record
from app.protocol.run import Program
from app.runtimes.instruments.figure_instrument import FigureInstrument
from app.runtimes.instruments.instrument_set import InstrumentSet
from app.runtimes.positions import Place
from app.runtimes.program import Fault, ProgramRun
from app.runtimes.recorder import Recorder
from app.runtimes.runtime import Emit
from app.runtimes.silence import silence
from app.runtimes.tamed.class_source import ClassSource
from app.runtimes.tamed.no_input import install_no_input
from app.runtimes.tamed.no_programs import install_no_programs
from app.runtimes.torch.instruments.gradcheck import GradcheckObserver
from app.runtimes.torch.instruments.make_dot import GraphObserver
from app.runtimes.torch.instruments.value import ValueObserver
from app.runtimes.torch.seeds import seed_all
from app.runtimes.torch.tamed.anomaly import install_anomaly
from app.runtimes.torch.tamed.dot_command import install_drawing
from app.runtimes.torch.tamed.no_compiler import install_no_compiler
from app.runtimes.torch.tamed.no_workers import install_no_workers
from app.runtimes.torch.tamed.thread_limit import ThreadLimit
from app.runtimes.torch.warm_up import PLOTTING, PROGRAMS


class TorchRuntime:
    """PyTorch with torchviz, and the observers of graphs and gradient checks. Importing this module imports PyTorch."""

    name = "torch"

    def __init__(self) -> None:
        self._recorder = Recorder()
        self._graphs = GraphObserver(self._recorder)
        self._checks = GradcheckObserver(self._recorder)
        self._values = ValueObserver(self._recorder, self._graphs)
        self._figures = FigureInstrument(self._recorder)
        self._set = InstrumentSet(self._recorder, [self._figures])
        self._thread_limit = ThreadLimit()
        self.versions = {"torch": torch.__version__.partition("+")[0], "python": platform.python_version()}
        self._run: ProgramRun | None = None

    def preload(self) -> None:
        install_no_input()
        ClassSource(self._recorder.sources).install()
        install_no_programs()
        install_no_compiler()
        install_no_workers()
        install_anomaly(self._recorder.sources)
        install_drawing()
        self._thread_limit.install()
        self._graphs.install()
        self._checks.install()
        self._set.install()

    def warm_up(self) -> None:
        modules, arguments, path = dict(sys.modules), sys.argv, list(sys.path)
        states = random.getstate(), numpy.random.get_state(), torch.default_generator.get_state()
        self._rehearse(*PROGRAMS, PLOTTING)
        self._run = None
        self._recorder.sources.forget()
        random.setstate(states[0])
        numpy.random.set_state(states[1])
        torch.default_generator.set_state(states[2])
        sys.modules.update({name: modules[name] for name in ("__main__", "builtins")})
        sys.argv, sys.path[:] = arguments, path

    def touch(self) -> None:
        self._rehearse(*PROGRAMS)

    def _rehearse(self, *programs: Program) -> None:
        encoder = msgspec.msgpack.Encoder()

        def drop(record: Record) -> None:
            encoder.encode(Shown(record=encode_record(record)))

        with silence():
            for program in programs:
                encoder.encode(self.execute(program, drop))

    def execute(self, program: Program, emit: Emit) -> Over:
        seed_all(program.seed)
        self._thread_limit.apply(program.threads)
        # Kept, so that no destructor of the learner's runs when the program is over.
        self._run = _FiguresRun(program, self._recorder, self._show)
        self._run.instruments = self._set
        self._set.begin(())
        return self._run.run(emit)

    def _show(self, value: Any, place: Place, title: str) -> None:
        if not self._figures.show(value, place, title):
            self._values.show(value, place, title)


class _FiguresRun(ProgramRun):
    instruments: InstrumentSet

    def _run_last(self) -> Fault:
        self.instruments.replayed()
        fault = super()._run_last()
        self.instruments.finish()
        return fault
