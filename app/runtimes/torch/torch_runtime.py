"""The PyTorch runtime: what a PyTorch zygote preloads, and how its children run a program."""

from collections.abc import Callable
from importlib import import_module

import torch

from app.protocol.grading import CheckResult, Examination, Verdict
from app.protocol.run import Program
from app.runtimes.framework_runtime import PLOTTING, FrameworkRuntime, MakeInstruments
from app.runtimes.instruments.figures.figure_instrument import FigureInstrument
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.patches.refusals import install_no_tensorflow
from app.runtimes.recorder import Recorder
from app.runtimes.runtime import Link
from app.runtimes.silence import silence
from app.runtimes.torch.calls.learner_server import LearnerServer
from app.runtimes.torch.grading.examination import examine
from app.runtimes.torch.grading.warm_up_examination import warm_up_examination
from app.runtimes.torch.identities import IDENTITIES
from app.runtimes.torch.instruments.doctor_instrument import DoctorInstrument
from app.runtimes.torch.instruments.gradcheck_instrument import GradcheckInstrument
from app.runtimes.torch.instruments.graph_instrument import GraphInstrument
from app.runtimes.torch.instruments.tensor_value import TensorValueInstrument
from app.runtimes.torch.instruments.trace_instrument import TraceInstrument
from app.runtimes.torch.patches.anomaly import install_anomaly
from app.runtimes.torch.patches.dot_command import install_drawing
from app.runtimes.torch.patches.refusals import install_torch_refusals
from app.runtimes.torch.patches.thread_limit import ThreadLimit
from app.runtimes.torch.warm_up import PROGRAMS, TOUCH, TRAINING


def make_instruments(recorder: Recorder) -> list[Instrument]:
    """Return the instruments. A value is offered to them in this order."""
    trace = TraceInstrument(recorder)
    before = [GraphInstrument(recorder), GradcheckInstrument(recorder), FigureInstrument(recorder)]
    return [*before, trace, DoctorInstrument(recorder, trace), TensorValueInstrument(recorder)]


class TorchRuntime(FrameworkRuntime):
    """PyTorch with torchviz, and its instruments. Importing this module imports PyTorch."""

    name = "torch"

    def __init__(self, instruments: MakeInstruments = make_instruments) -> None:
        super().__init__(torch.__version__.partition("+")[0], instruments)
        self._thread_limit = ThreadLimit()
        self._server: LearnerServer | None = None

    def warm_up(self) -> None:
        with self._leaving_no_trace(), torch.random.fork_rng(devices=[]):
            self._run_warm_up(*PROGRAMS)
            with silence():
                warm_up_examination()

    def complete(self) -> None:
        with self._leaving_no_trace(), torch.random.fork_rng(devices=[]):
            # the first step of an optimizer imports it, as do torch.func, checkpoints and custom operators
            import_module("torch._dynamo")
            self._run_warm_up(
                TRAINING, PLOTTING, *PROGRAMS
            )  # the most common programs last, because Python's cache of attributes has a fixed size

    def touch(self) -> None:
        self._run_warm_up(TOUCH)

    def answer(self, request: bytes, link: Link) -> bytes:
        if self._server is None:
            self._server = LearnerServer(self._run.module.__dict__ if self._run else {}, self._recorder.sources)
        self._server.link = link
        return self._server.answer(request)

    def examine(self, examination: Examination, link: Link, report: Callable[[CheckResult], None]) -> Verdict:
        return examine(examination, link, report)

    def _install_patches(self) -> None:
        # If ATEN_CPU_CAPABILITY is set, torch calls it for the first float16, which fails in a child.
        torch.cpu.get_capabilities()
        install_torch_refusals()
        install_anomaly(self._recorder.sources)
        install_drawing()
        install_no_tensorflow()
        self._thread_limit.install()

    def _prepare(self, program: Program) -> None:
        super()._prepare(program)
        IDENTITIES.begin()
        # The first operation after a fork makes a new autograd engine, without a lock: two threads at once would end the process.
        torch.autograd.Variable._execution_engine.is_checkpoint_valid()
        torch.default_generator.manual_seed(program.seed)  # torch.manual_seed would also queue calls for accelerators
        self._thread_limit.apply(program.threads)
