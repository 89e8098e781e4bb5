"""The torch runtime: what a torch zygote preloads, and how its children run a program."""

import platform
import random
import sys
from collections.abc import Sequence
from importlib import import_module

import msgspec
import numpy
import torch

from app.protocol.channel import Over, Shown
from app.protocol.records.record import Record
from app.protocol.records.registry import encode_record
from app.protocol.run import Program
from app.runtimes.instruments.figure_instrument import FigureInstrument
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.instruments.instrument_set import InstrumentSet
from app.runtimes.program import ProgramRun
from app.runtimes.recorder import Recorder
from app.runtimes.runtime import Emit
from app.runtimes.silence import silence
from app.runtimes.tamed.class_source import ClassSource
from app.runtimes.tamed.no_input import install_no_input
from app.runtimes.tamed.no_programs import install_no_programs
from app.runtimes.tamed.server_paths import install_server_paths
from app.runtimes.torch.instruments.gradcheck_instrument import GradcheckInstrument
from app.runtimes.torch.instruments.graph_instrument import GraphInstrument
from app.runtimes.torch.instruments.tensor_value import TensorValueInstrument
from app.runtimes.torch.seeds import seed_all
from app.runtimes.torch.tamed.anomaly import install_anomaly
from app.runtimes.torch.tamed.dot_command import install_drawing
from app.runtimes.torch.tamed.no_compiler import install_no_compiler
from app.runtimes.torch.tamed.no_workers import install_no_workers
from app.runtimes.torch.tamed.thread_limit import ThreadLimit
from app.runtimes.torch.warm_up import COMPLETION, PROGRAMS, TOUCH

INSTRUMENTS: tuple[type[Instrument], ...] = (  # in the order in which they are asked to show a value
    GraphInstrument,
    GradcheckInstrument,
    FigureInstrument,
    TensorValueInstrument,
)


class TorchRuntime:
    """PyTorch with torchviz, and what observes it. Importing this module imports PyTorch."""

    name = "torch"

    def __init__(self, instruments: Sequence[type[Instrument]] = INSTRUMENTS) -> None:
        self._recorder = Recorder()
        self.instruments = InstrumentSet([instrument(self._recorder) for instrument in instruments])
        self._thread_limit = ThreadLimit()
        self.versions = {"torch": torch.__version__.partition("+")[0], "python": platform.python_version()}
        self._run: ProgramRun | None = None

    def preload(self) -> None:
        install_no_input()
        ClassSource(self._recorder.sources).install()
        install_no_programs()
        install_server_paths()
        install_no_compiler()
        install_no_workers()
        install_anomaly(self._recorder.sources)
        install_drawing()
        self._thread_limit.install()
        self.instruments.install()

    def warm_up(self) -> None:
        self._rehearse_without_trace(*PROGRAMS)

    def complete(self) -> None:
        # torch imports it with the first step of an optimizer, and with torch.func, checkpoints and custom operators
        import_module("torch._dynamo")
        self._rehearse_without_trace(*COMPLETION)

    def _rehearse_without_trace(self, *programs: Program) -> None:
        modules, arguments, path = dict(sys.modules), sys.argv, list(sys.path)
        states = random.getstate(), numpy.random.get_state(), torch.default_generator.get_state()
        self._rehearse(*programs)
        self._run = None
        self._recorder.sources.forget()
        random.setstate(states[0])
        numpy.random.set_state(states[1])
        torch.default_generator.set_state(states[2])
        sys.modules.update({name: modules[name] for name in ("__main__", "builtins")})
        sys.argv, sys.path[:] = arguments, path

    def touch(self) -> None:
        self._rehearse(TOUCH)

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
        self._run = ProgramRun(program, self._recorder, self.instruments)
        return self._run.run(emit)
