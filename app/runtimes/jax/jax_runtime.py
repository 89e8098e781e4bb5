"""The JAX runtime: what a JAX zygote preloads, and how its children run a program.

The first array starts threads and fixes settings that a program may still want to change, such as the number of CPU devices. So no array is
made before the fork, nor in a waiting child. The warm-up only traces functions, which needs no array.
"""

import os
from contextlib import suppress

import jax
import jax.scipy
from jax._src import source_info_util, traceback_util

import app
from app.protocol.channel import Over
from app.protocol.run import Program, Source
from app.runtimes.framework_runtime import FrameworkRuntime, MakeInstruments
from app.runtimes.instruments.figures.figure_instrument import FigureInstrument
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.jax.array_entries import JaxArrayInstrument
from app.runtimes.jax.check_grads_instrument import CheckGradsInstrument
from app.runtimes.jax.jaxpr_trace_instrument import JaxprTraceInstrument
from app.runtimes.patches.refusals import install_no_tensorflow
from app.runtimes.recorder import Recorder
from app.runtimes.runtime import Emit
from app.runtimes.silence import flush_output


def make_instruments(recorder: Recorder) -> list[Instrument]:
    """Return the instruments. A value is offered to them in this order."""
    return [CheckGradsInstrument(recorder), FigureInstrument(recorder), JaxprTraceInstrument(recorder), JaxArrayInstrument(recorder)]


_NOT_THEIRS = (*app.__path__, "<frozen runpy>")
_NOTE = f"\n--------------------\n{traceback_util._simplified_tb_msg}"

_TRACING = """
import jax
import jax.numpy as jnp


@jax.custom_vjp
def relu(x):
    return jnp.maximum(x, 0)


def forward(x):
    return relu(x), x


def backward(x, g):
    return (jnp.where(x > 0, g, 0),)


relu.defvjp(forward, backward)
x = jax.ShapeDtypeStruct((2, 2), jnp.float32)
print(jax.make_jaxpr(jax.grad(lambda x: (relu(x) @ jnp.exp(x) * 2).sum()))(x), end="")
jax.make_jaxpr(jax.vmap(jax.jvp, (None, 0, 0)), static_argnums=0)(jnp.sin, (x,), (x,))
"""

_PROGRAMS = (
    Program(source=Source(text=_TRACING, cell="warm-up")),
    Program(source=Source(text="1 / 0", cell="warm-up")),
)


class JaxRuntime(FrameworkRuntime):
    """JAX on the CPU, and its instruments. Importing this module imports JAX."""

    name = "jax"

    def __init__(self, instruments: MakeInstruments = make_instruments) -> None:
        super().__init__(jax.__version__, instruments)

    def warm_up(self) -> None:
        with self._leaving_no_trace():
            self._run_warm_up(*_PROGRAMS)

    def touch(self) -> None:
        self._run_warm_up(*_PROGRAMS)

    def execute(self, program: Program, emit: Emit) -> Over:
        over = super().execute(program, emit)
        with suppress(BaseException):
            jax.effects_barrier()  # waits for what compiled functions print
        flush_output()
        if over.error:
            # the note is about hidden frames, but learners see only their own frames
            over.error.message = over.error.message.replace(_NOTE, "")
        return over

    def _install_patches(self) -> None:
        for path in _NOT_THEIRS:  # JAX looks for the caller's line in the whole stack
            traceback_util.register_exclusion(path)
            source_info_util.register_exclusion(path)
        install_no_tensorflow()

    def _prepare(self, program: Program) -> None:
        super()._prepare(program)
        os.environ["NPROC"] = str(program.threads)  # the size of XLA's thread pools, which the first array makes
