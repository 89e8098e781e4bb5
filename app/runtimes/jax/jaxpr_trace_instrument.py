"""Records what each call of jax.grad, jax.value_and_grad and jax.vjp runs backward: its linear jaxpr. Runs in the child.

All of them call jax.vjp; the trace function sees the end of its frame. A function that jax.jit has compiled is one node, because Python
does not run it again.
"""

from types import FrameType
from typing import Any

from jax._src import api, core, public_test_util

import app
from app.protocol.instrument_facts import TRACE
from app.protocol.run import RunError
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.instruments.tracing.frame_trace import FrameTrace, WhenFrameEnds
from app.runtimes.instruments.tracing.pass_graphs import PassGraphs
from app.runtimes.jax.input_names import input_names
from app.runtimes.jax.linear_graph import EQUATIONS, LinearGraph

_VJP = api.vjp.__wrapped__.__code__
# calls from these files are not the learner's: check_grads, and the instrument that observes it
_NOT_THEIRS = (public_test_util.__file__, *app.__path__)


class JaxprTraceInstrument(Instrument):
    """Records linear jaxprs. It is off by default: the page asks for a second run of a program with it (docs/decisions/0047)."""

    facts = TRACE

    def begin(self) -> None:
        self._graphs = PassGraphs(self.recorder, "jax.vjp")
        self._count = 0
        self._trace = FrameTrace({_VJP: self._in_vjp})
        self._trace.start()

    def replayed(self) -> None:
        self._graphs.forget()

    def finish(self, error: RunError | None) -> None:
        self._trace.stop()
        for fault in self._trace.faults:
            self.recorder.record_fault(self.facts.name, fault)
        self._graphs.show(partial=self._trace.exhausted)

    def _in_vjp(self, frame: FrameType) -> WhenFrameEnds | None:
        """Return the function to call when jax.vjp ends; None within another transformation, or if the learner did not call it."""
        return self._add if core.trace_state_clean() and self.recorder.sources.frame_of(frame, _NOT_THEIRS) else None

    def _add(self, frame: FrameType, _: object, raised: bool) -> None:
        values: dict[str, Any] = frame.f_locals
        jaxpr = values.get("jaxpr")
        if raised or jaxpr is None or len(jaxpr.eqns) > EQUATIONS:
            return
        self._count += 1
        names = input_names(values["fun"], values["primals"], len(jaxpr.invars))
        residual_names = [names[place.idx] if place.primal else None for place in values["spec"]]
        graph = LinearGraph(f"j{self._count}", jaxpr, names, residual_names, self.recorder.sources)
        self._graphs.add(graph.nodes, graph.edges, self.recorder.sources.caller_of(frame))
