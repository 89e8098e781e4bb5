"""Makes the graph of what JAX runs backward: the linear jaxpr of jax.vjp, whose equations it transposes from the last to the first.

Runs in the child. Written against JAX 0.10. A jaxpr has no arrays in it, so nothing is computed here.
"""

from collections.abc import Sequence
from typing import Any

from jax._src import core
from jax.extend.core import Jaxpr, JaxprEqn, Literal, Var

from app.protocol.records.graph import EdgeKind, GraphEdge, GraphNode, NodeKind
from app.protocol.records.record import Span
from app.runtimes.instruments.tracing.pass_graphs import tensor_node
from app.runtimes.plain_text import LABEL_CHARACTERS, plain
from app.runtimes.positions import Sources

EQUATIONS = 5_000  # the most equations of a jaxpr
_NAMES = ("name", "bwd")  # parameters that name what the learner wrote: a compiled function, or the backward rule of a custom_vjp


class LinearGraph:
    """The nodes and edges of one jaxpr.

    An edge leads from the node that computed a value to an equation that uses it, so gradients flow against it. A residual is a saved
    tensor. `names`: the names of the inputs. `residual_names`: the names of the residuals that are inputs. A name that is not known is
    None.
    """

    def __init__(
        self, prefix: str, jaxpr: Jaxpr, names: Sequence[str | None], residual_names: Sequence[str | None], sources: Sources
    ) -> None:
        self.nodes: list[GraphNode] = []
        self.edges: list[GraphEdge] = []
        self._prefix, self._sources = prefix, sources
        self._makers: dict[Var, GraphNode] = {}  # by each value that an equation may use
        for variable, name in zip(jaxpr.invars, names, strict=True):
            self._add_value(variable, "leaf", name)
        for variable, name in zip(jaxpr.constvars, residual_names, strict=True):
            self._add_value(variable, "saved", name)
            self._makers[variable].saved_role = "input" if name is not None else None
        for number, equation in enumerate(jaxpr.eqns):
            self._add_equation(number, equation)
        for variable in jaxpr.outvars:
            self._add_output(variable)

    def _add_value(self, variable: Var, kind: NodeKind, name: str | None) -> GraphNode:
        aval = variable.aval
        shape, dtype = ([int(length) for length in aval.shape], str(aval.dtype)) if isinstance(aval, core.ShapedArray) else (None, None)
        node = tensor_node(f"{self._prefix}-v{len(self.nodes)}", kind, name, shape, dtype)
        self.nodes.append(node)
        self._makers[variable] = node
        return node

    def _add_equation(self, number: int, equation: JaxprEqn) -> None:
        is_custom = "bwd" in equation.params
        node = GraphNode(
            id=f"{self._prefix}-e{number}",
            kind="custom_function" if is_custom else "function",
            label=label_of(equation),
            sequence=number,
            span=span_of(equation, self._sources),
            order=2 if "transpose" in str(equation.source_info.name_stack) else 1,
        )
        self.nodes.append(node)
        for variable in equation.invars:
            if not isinstance(variable, Literal):
                self._add_edge(self._makers[variable], node)
        for variable in equation.outvars:
            self._makers[variable] = node

    def _add_output(self, variable: Any) -> None:
        if not isinstance(variable, Literal):
            maker = self._makers[variable]
            self._add_edge(maker, self._add_value(variable, "output", None))
            self._makers[variable] = maker  # the same value may be returned twice

    def _add_edge(self, source: GraphNode, target: GraphNode) -> None:
        kind: EdgeKind = "saved" if source.kind == "saved" else "gradient"
        self.edges.append(GraphEdge(source=source.id, target=target.id, kind=kind))


def label_of(equation: JaxprEqn) -> str:
    """Return the primitive, with the name of the learner's function that it calls, if any."""
    called = next((equation.params[key] for key in _NAMES if key in equation.params), None)
    name = called if isinstance(called, str) else getattr(called, "__name__", None)
    primitive = equation.primitive.name
    return plain(f"{primitive}: {name}" if isinstance(name, str) else primitive, LABEL_CHARACTERS)


def span_of(equation: JaxprEqn, sources: Sources) -> Span | None:
    """Return the innermost piece of the learner's source that the equation came from; None if it came from elsewhere."""
    traceback = equation.source_info.traceback
    if traceback is None:
        return None
    for code, instruction in zip(*traceback.raw_frames(), strict=True):
        if code.co_filename in sources:
            return sources.span_of(code, instruction)
    return None
