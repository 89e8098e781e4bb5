"""The second run of a JAX program shows what runs backward, with its lines, and changes nothing."""

import pytest

from tests.runtimes.framework_programs import FrameworkPrograms, needs
from tests.runtimes.jax.functions import RELU
from tests.runtimes.jax.traced_programs import PROGRAMS
from tests.runtimes.traced_pairs import check_same, course_programs, edges_of, functions_of, graphs_of

pytestmark = needs("jax")

LOSS = """import jax
import jax.numpy as jnp
def loss(p, x):
    y = jnp.sin(x @ p["w"])
    return (y + p["b"]).sum()
p = {"w": jnp.ones((2, 2)), "b": jnp.zeros(2)}
"""

TRACED = ("trace",)


def test_the_equations_of_the_backward_pass_have_the_lines_of_the_forward(jax_programs: FrameworkPrograms) -> None:
    [graph] = graphs_of(jax_programs.run(LOSS + "jax.grad(loss)(p, jnp.ones((3, 2)))\n", instruments=TRACED))
    assert graph.span is not None
    assert (graph.span.line, graph.graph, graph.partial) == (7, 0, False)
    assert [(node.label, node.line) for node in functions_of(graph)] == [
        ("dot_general", 4),
        ("mul", 4),
        ("broadcast_in_dim", 5),
        ("add", 5),
        ("reduce_sum", 5),
    ]
    assert {node.name: node.shape for node in graph.nodes if node.kind == "leaf"} == {"p['b']": [2], "p['w']": [2, 2]}
    assert ("p['w']", "dot_general") in edges_of(graph)


def test_a_span_is_the_operation_and_not_the_whole_line(jax_programs: FrameworkPrograms) -> None:
    [graph] = graphs_of(jax_programs.run(LOSS + "jax.grad(loss)(p, jnp.ones((3, 2)))\n", instruments=TRACED))
    spans = [node.span for node in functions_of(graph)]
    assert [(span.column, span.end_column) for span in spans if span] == [(16, 26), (8, 27), (12, 22), (12, 22), (11, 29)]


def test_residuals_are_saved_tensors_and_inputs_among_them_have_names(jax_programs: FrameworkPrograms) -> None:
    text = "import jax, jax.numpy as jnp\ndef f(x, w):\n    return x * w\njax.vjp(f, jnp.ones(2), jnp.zeros(2))\n"
    [graph] = graphs_of(jax_programs.run(text, instruments=TRACED))
    saved = {(node.name, node.saved_role) for node in graph.nodes if node.kind == "saved"}
    assert saved == {("x", "input"), ("w", "input")}
    assert {edge.kind for edge in graph.edges} == {"gradient", "saved"}


def test_the_names_are_those_of_the_arguments_that_are_differentiated(jax_programs: FrameworkPrograms) -> None:
    text = "import jax\ndef f(a, b, c):\n    return a * b * c\njax.value_and_grad(f, argnums=(0, -1))(1.0, 2.0, 3.0)\n"
    [graph] = graphs_of(jax_programs.run(text, instruments=TRACED))
    assert [node.name for node in graph.nodes if node.kind == "leaf"] == ["a", "c"]


def test_a_custom_rule_and_a_compiled_function_are_one_node_each(jax_programs: FrameworkPrograms) -> None:
    text = RELU + "@jax.jit\ndef inner(x):\n    return jnp.exp(x) * 2\njax.grad(lambda x: inner(relu(x)).sum())(x)\n"
    [graph] = graphs_of(jax_programs.run(text, instruments=TRACED))
    kinds = {node.label: node.kind for node in functions_of(graph)}
    assert kinds == {"custom_lin: backward": "custom_function", "jit: inner": "function", "reduce_sum": "function"}


def test_the_part_of_a_second_derivative_that_an_inner_backward_pass_made_is_told_apart(jax_programs: FrameworkPrograms) -> None:
    [graph] = graphs_of(jax_programs.run("import jax\njax.grad(jax.grad(lambda x: x**3))(2.0)\n", instruments=TRACED))
    assert [node.order for node in functions_of(graph)] == [1, 1, 2]


def test_within_a_compiled_function_nothing_is_shown(jax_programs: FrameworkPrograms) -> None:
    assert not graphs_of(jax_programs.run("import jax\njax.jit(jax.grad(lambda x: x * x))(2.0)\n", instruments=TRACED))


def test_what_check_grads_differentiates_is_not_shown(jax_programs: FrameworkPrograms) -> None:
    text = "import jax\nfrom jax.test_util import check_grads\ncheck_grads(lambda x: x * x, (2.0,), 2)\n"
    assert not graphs_of(jax_programs.run(text, instruments=TRACED))


def test_a_training_loop_shows_its_backward_pass_once(jax_programs: FrameworkPrograms) -> None:
    text = LOSS + "for _ in range(20):\n    jax.grad(loss)(p, jnp.ones((3, 2)))\n"
    assert len(graphs_of(jax_programs.run(text, instruments=TRACED))) == 1


def test_a_jaxpr_with_too_many_equations_is_not_followed(jax_programs: FrameworkPrograms) -> None:
    from app.runtimes.jax.linear_graph import EQUATIONS  # here, because each worker imports this file, and JAX takes a second

    text = "import jax\ndef f(x):\n    for _ in range(COUNT):\n        x = x * 2\n    return x\njax.grad(f)(1.0)\nprint('end')\n"
    short = jax_programs.run(text.replace("COUNT", "50"), instruments=TRACED)
    long = jax_programs.run(text.replace("COUNT", str(EQUATIONS + 1)), instruments=TRACED)
    assert (len(graphs_of(short)), len(graphs_of(long)), long.stdout) == (1, 0, "end\n")


def test_a_function_that_raises_shows_nothing_and_no_fault(jax_programs: FrameworkPrograms) -> None:
    result = check_same(jax_programs, "import jax\ndef f(x):\n    raise ValueError('mine')\njax.grad(f)(2.0)\n")
    assert not graphs_of(result)


def test_a_program_with_a_tracer_of_its_own_does_the_same(jax_programs: FrameworkPrograms) -> None:
    text = (
        "import jax, sys\n"
        "print(jax.grad(lambda x: x * x)(1.0))\n"
        "def trace(frame, event, arg):\n    if frame.f_code.co_name == 'f': print(event)\n"
        "def f(x):\n    return x * x\n"
        "sys.settrace(trace)\nprint(jax.grad(f)(2.0))\nsys.settrace(None)\n"
    )
    [graph] = graphs_of(check_same(jax_programs, text))
    assert graph.partial


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_traced_program_does_the_same(jax_programs: FrameworkPrograms, name: str) -> None:
    check_same(jax_programs, PROGRAMS[name])


def test_traced_programs_of_the_course_do_the_same_and_their_nodes_have_lines(jax_programs: FrameworkPrograms) -> None:
    programs = course_programs("jax")
    assert len(programs) > 5
    nodes = []
    for text in programs.values():
        result = check_same(jax_programs, text)
        nodes += [node for graph in graphs_of(result) for node in functions_of(graph)]
    assert len(nodes) > 20
    assert all(node.line is not None for node in nodes)
