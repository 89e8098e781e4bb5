"""The TensorFlow runtime: what a TensorFlow zygote preloads, and how its children run a program.

The first operation starts threads and fixes settings that a program may still want to change, such as logical devices. So no operation
is run before the fork, nor in a waiting child.
"""

from app.protocol.run import Program, Source
from app.runtimes.framework_runtime import FrameworkRuntime, MakeInstruments
from app.runtimes.instruments.figures.figure_instrument import FigureInstrument
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.recorder import Recorder
from app.runtimes.tensorflow import library  # noqa: F401  # before what imports TensorFlow

# isort: split
import tensorflow
from tensorflow.python.framework import kernels

from app.runtimes.tensorflow.compute_gradient_instrument import ComputeGradientInstrument
from app.runtimes.tensorflow.eager_value import EagerValueInstrument
from app.runtimes.tensorflow.tape_trace_instrument import TapeTraceInstrument
from app.runtimes.tensorflow.thread_pools import ThreadPools


def make_instruments(recorder: Recorder) -> list[Instrument]:
    """Return the instruments. A value is offered to them in this order."""
    return [ComputeGradientInstrument(recorder), FigureInstrument(recorder), TapeTraceInstrument(recorder), EagerValueInstrument(recorder)]


_PROGRAMS = (
    Program(source=Source(text="print(1.5, end='')\n[1.5]", cell="warm-up")),
    Program(source=Source(text="1 / 0", cell="warm-up")),
)


class TensorFlowRuntime(FrameworkRuntime):
    """TensorFlow with Keras, and its instruments. Importing this module imports TensorFlow."""

    name = "tensorflow"

    def __init__(self, instruments: MakeInstruments = make_instruments) -> None:
        super().__init__(tensorflow.__version__, instruments)
        self._thread_pools = ThreadPools()

    def warm_up(self) -> None:
        # The first call searches for more kernels beside the executable. It finds that by /proc/self, which children do not have.
        kernels.get_registered_kernels_for_op("Identity")
        with self._leaving_no_trace():
            self._run_warm_up(*_PROGRAMS)

    def touch(self) -> None:
        self._run_warm_up(*_PROGRAMS)

    def _install_patches(self) -> None:
        self._thread_pools.install()

    def _prepare(self, program: Program) -> None:
        super()._prepare(program)
        tensorflow.random.set_seed(program.seed)
        self._thread_pools.apply(program.threads)
