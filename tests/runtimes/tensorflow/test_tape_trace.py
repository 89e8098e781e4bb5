"""The second run of a TensorFlow program shows what its tapes recorded, with lines, and changes nothing."""

import pytest

from app.runtimes.tensorflow.tape_log import ENTRIES
from tests.runtimes.framework_programs import FrameworkPrograms, needs
from tests.runtimes.tensorflow.functions import RELU
from tests.runtimes.tensorflow.traced_programs import PROGRAMS
from tests.runtimes.traced_pairs import check_same, course_programs, edges_of, functions_of, graphs_of

pytestmark = needs("tensorflow")

TRACED = ("trace",)

LOSS = """import tensorflow as tf
w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
x = tf.ones((3, 2))
with tf.GradientTape() as tape:
    y = tf.sin(x @ w)
    loss = tf.reduce_sum(y * y)
"""


def labels(graph: object) -> list[tuple[str, int | None]]:
    return [(node.label, node.line) for node in functions_of(graph)]  # type: ignore[arg-type]  # a traced graph


def test_the_operations_of_the_tape_have_lines(tensorflow_programs: FrameworkPrograms) -> None:
    [graph] = graphs_of(tensorflow_programs.run(LOSS + "tape.gradient(loss, w)\n", instruments=TRACED))
    assert graph.span is not None
    assert (graph.span.line, graph.graph, graph.partial) == (7, 0, False)
    assert labels(graph) == [("ReadVariableOp", 5), ("MatMul", 5), ("Sin", 5), ("Mul", 6), ("Sum", 6)]
    assert edges_of(graph) == [
        ("w", "ReadVariableOp"),
        ("ReadVariableOp", "MatMul"),
        ("MatMul", "Sin"),
        ("Sin", "Mul"),
        ("Sin", "Mul"),
        ("Mul", "Sum"),
        ("Sum", "loss"),
    ]
    assert [(node.kind, node.name, node.shape) for node in graph.nodes if node.name] == [("leaf", "w", [2, 2]), ("output", "loss", [])]


def test_a_span_is_the_operation_and_not_the_whole_line(tensorflow_programs: FrameworkPrograms) -> None:
    [graph] = graphs_of(tensorflow_programs.run(LOSS + "tape.gradient(loss, w)\n", instruments=TRACED))
    spans = [node.span for node in functions_of(graph)]
    assert [(span.column, span.end_column) for span in spans if span] == [(15, 20), (15, 20), (8, 21), (25, 30), (11, 31)]


def test_what_is_not_on_the_tape_is_not_shown(tensorflow_programs: FrameworkPrograms) -> None:
    text = """import tensorflow as tf
x, c = tf.constant(2.0), tf.constant(3.0)
before = x * 7.0
with tf.GradientTape() as tape:
    early = x * 5.0
    tape.watch(x)
    a = x * before * early
    with tape.stop_recording():
        b = x + 1.0
    y = a * b * tf.stop_gradient(x) + c * c
    late = tf.exp(y)
tape.gradient(y, x)
"""
    [graph] = graphs_of(tensorflow_programs.run(text, instruments=TRACED))
    assert labels(graph) == [("Mul", 7), ("Mul", 7), ("Mul", 10), ("Mul", 10), ("AddV2", 10)]
    assert [node.name for node in graph.nodes if node.kind == "leaf"] == ["x"]


def test_an_inner_tape_does_not_show_what_only_the_outer_recorded(tensorflow_programs: FrameworkPrograms) -> None:
    text = """import tensorflow as tf
x, w = tf.constant(2.0), tf.constant(3.0)
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(w)
        y = tf.sin(x) * w**3
    d = inner.gradient(y, w)
outer.gradient(d, x)
"""
    first, second = graphs_of(tensorflow_programs.run(text, instruments=TRACED))
    assert labels(first) == [("Pow", 7), ("Mul", 7)]
    assert ("Sin", 7) in labels(second)
    assert [node.order for node in functions_of(second) if node.label == "Sin"] == [1]
    assert {node.order for node in functions_of(second) if node.line == 8} == {2}


def test_a_custom_gradient_and_a_compiled_function_are_one_node_each(tensorflow_programs: FrameworkPrograms) -> None:
    text = RELU + (
        "@tf.function\ndef inner(x):\n    return tf.exp(x) * 2.0\n"
        "with tf.GradientTape() as tape:\n    tape.watch(x)\n    y = inner(relu(x))\ntape.gradient(y, x)\n"
    )
    [graph] = graphs_of(tensorflow_programs.run(text, instruments=TRACED))
    kinds = {node.label: node.kind for node in functions_of(graph)}
    assert kinds == {"relu": "custom_function", "tf.function: inner": "function"}


def test_operations_that_tensorflow_executes_in_python_are_seen(tensorflow_programs: FrameworkPrograms) -> None:
    text = """import tensorflow as tf
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.gather(x, [0]) + tf.concat([x, x], 0)[:1]
    y = tf.raw_ops.Pack(values=[y, [1.0]])
tape.gradient(y, x)
"""
    [graph] = graphs_of(tensorflow_programs.run(text, instruments=TRACED))
    assert labels(graph) == [("GatherV2", 5), ("ConcatV2", 5), ("StridedSlice", 5), ("AddV2", 5), ("Pack", 6)]


def test_a_tape_that_was_reset_has_forgotten(tensorflow_programs: FrameworkPrograms) -> None:
    text = """import tensorflow as tf
x = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
    tape.reset()
    z = y + x
tape.gradient(z, x)
"""
    [graph] = graphs_of(tensorflow_programs.run(text, instruments=TRACED))
    assert labels(graph) == [("ReadVariableOp", 6), ("AddV2", 6)]


def test_within_a_compiled_function_nothing_is_shown(tensorflow_programs: FrameworkPrograms) -> None:
    text = """import tensorflow as tf
@tf.function
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x)
print(slope(tf.constant(2.0)))
"""
    assert not graphs_of(tensorflow_programs.run(text, instruments=TRACED))


def test_what_compute_gradient_differentiates_is_not_shown(tensorflow_programs: FrameworkPrograms) -> None:
    text = "import tensorflow as tf\ntf.test.compute_gradient(lambda x: x * x, [tf.constant([1.0])])\n"
    assert not graphs_of(tensorflow_programs.run(text, instruments=TRACED))


LOOP = """import tensorflow as tf
x = tf.Variable(1.0)
for _ in range(STEPS):
    with tf.GradientTape() as tape:
        y = x
        for _ in range(OPERATIONS):
            y = y * 1.0
    g = tape.gradient(y, x)
print(float(g))
"""


def loop(steps: int, operations: int) -> str:
    return LOOP.replace("STEPS", str(steps)).replace("OPERATIONS", str(operations))


def test_a_training_loop_shows_its_backward_pass_once_and_old_tapes_are_forgotten(tensorflow_programs: FrameworkPrograms) -> None:
    steps = ENTRIES // 100 + 10
    [graph] = graphs_of(tensorflow_programs.run(loop(steps, 100), instruments=TRACED))
    assert not graph.partial


def test_a_tape_with_too_many_operations_ends_the_trace_and_the_earlier_graphs_say_so(tensorflow_programs: FrameworkPrograms) -> None:
    first = "import tensorflow as tf\nv = tf.Variable(1.0)\nwith tf.GradientTape() as t:\n    z = v * v\nt.gradient(z, v)\n"
    result = check_same(tensorflow_programs, first + loop(1, ENTRIES + 1))
    [graph] = graphs_of(result)
    assert graph.partial
    assert result.stdout == "1.0\n"


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_traced_program_does_the_same(tensorflow_programs: FrameworkPrograms, name: str) -> None:
    check_same(tensorflow_programs, PROGRAMS[name])


def test_traced_programs_of_the_course_do_the_same_and_their_nodes_have_lines(tensorflow_programs: FrameworkPrograms) -> None:
    programs = course_programs("tensorflow")
    assert len(programs) > 5
    nodes = []
    for text in programs.values():
        nodes += [node for graph in graphs_of(check_same(tensorflow_programs, text)) for node in functions_of(graph)]
    assert len(nodes) > 20
    assert all(node.line is not None for node in nodes)
