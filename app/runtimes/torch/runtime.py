"""The torch runtime: what a torch zygote preloads, and how its children run a program."""

import platform
import random
import sys

import msgspec
import numpy
import torch

from app.protocol.channel import Over, Shown
from app.protocol.display import Display
from app.protocol.run import Program
from app.runtimes.class_source import ClassSource
from app.runtimes.no_input import install_no_input
from app.runtimes.no_programs import install_no_programs
from app.runtimes.program import ProgramRun
from app.runtimes.runtime import Emit
from app.runtimes.silence import silence
from app.runtimes.stage import Stage
from app.runtimes.torch.anomaly import install_anomaly
from app.runtimes.torch.drawing import install_drawing
from app.runtimes.torch.gradcheck import GradcheckObserver
from app.runtimes.torch.make_dot import GraphObserver
from app.runtimes.torch.no_compiler import install_no_compiler
from app.runtimes.torch.no_workers import install_no_workers
from app.runtimes.torch.seeds import seed_all
from app.runtimes.torch.thread_limit import ThreadLimit
from app.runtimes.torch.value import ValueObserver
from app.runtimes.torch.warm_up import PROGRAMS


class TorchRuntime:
    """PyTorch with torchviz, and the observers of graphs and gradient checks. Importing this module imports PyTorch."""

    name = "torch"

    def __init__(self) -> None:
        self._stage = Stage()
        self._graphs = GraphObserver(self._stage)
        self._checks = GradcheckObserver(self._stage)
        self._values = ValueObserver(self._stage, self._graphs)
        self._thread_limit = ThreadLimit()
        self.versions = {"torch": torch.__version__.partition("+")[0], "python": platform.python_version()}
        self._run: ProgramRun | None = None

    def preload(self) -> None:
        install_no_input()
        ClassSource(self._stage.sources).install()
        install_no_programs()
        install_no_compiler()
        install_no_workers()
        install_anomaly(self._stage.sources)
        install_drawing()
        self._thread_limit.install()
        self._graphs.install()
        self._checks.install()

    def warm_up(self) -> None:
        modules, arguments, path = dict(sys.modules), sys.argv, list(sys.path)
        states = random.getstate(), numpy.random.get_state(), torch.default_generator.get_state()
        self.touch()
        self._run = None
        self._stage.sources.forget()
        random.setstate(states[0])
        numpy.random.set_state(states[1])
        torch.default_generator.set_state(states[2])
        sys.modules.update({name: modules[name] for name in ("__main__", "builtins")})
        sys.argv, sys.path[:] = arguments, path

    def touch(self) -> None:
        encoder = msgspec.msgpack.Encoder()

        def drop(display: Display) -> None:
            encoder.encode(Shown(display=display))

        with silence():
            for program in PROGRAMS:
                encoder.encode(self.execute(program, drop))

    def execute(self, program: Program, emit: Emit) -> Over:
        seed_all(program.seed)
        self._thread_limit.apply(program.threads)
        # Kept, so that no destructor of the learner's runs when the program is over.
        self._run = ProgramRun(program, self._stage, self._values.show)
        return self._run.run(emit)
