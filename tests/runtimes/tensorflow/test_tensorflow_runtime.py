"""TensorFlow programs in a confined child run as they would anywhere, and are shown as PyTorch's are."""

from typing import Any

import pytest

from app.protocol.instrument_facts import INSTRUMENTS
from tests.runtimes.framework_programs import FrameworkPrograms, figures_of, needs, values_of

pytestmark = needs("tensorflow")


@pytest.mark.parametrize(
    ("expression", "shape", "dtype", "values"),
    [
        ("tf.constant([[1.5, 2.0], [float('nan'), 0.0]])", [2, 2], "float32", [[1.5, 2.0], ["nan", 0.0]]),
        ("tf.Variable([1, 2])", [2], "int32", [1.0, 2.0]),
        ("tf.constant(3.0, tf.bfloat16)", [], "bfloat16", 3.0),
        ("tf.constant([True, False])", [2], "bool", [1.0, 0.0]),
        ("tf.constant(['a', 'b'])", [2], "string", None),
        ("tf.zeros(1025)", [1025], "float32", None),
    ],
)
def test_the_value_of_a_trailing_expression_has_its_entries(
    tensorflow_programs: FrameworkPrograms, expression: str, shape: list[int], dtype: str, values: Any
) -> None:
    (value,) = values_of(tensorflow_programs.run(f"import tensorflow as tf\n{expression}"))
    assert (value.shape, value.dtype, value.values) == (shape, dtype, values)
    assert value.text.startswith("<tf.")


def test_a_seed_gives_the_same_numbers_in_every_run(tensorflow_programs: FrameworkPrograms) -> None:
    source = (
        "import random, numpy, tensorflow as tf\n"
        "print(tf.random.normal((2,)).numpy(), tf.keras.layers.Dense(1)(tf.ones((1, 2))).numpy(), random.random(), numpy.random.rand())"
    )
    first, again, other = (tensorflow_programs.run(source, seed).stdout for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(
    ("source", "kind", "words", "line"),
    [
        (
            "import tensorflow as tf\nx = tf.Variable(2.0)\nwith tf.GradientTape() as t:\n    y = x\nt.gradient(x, x)\nt.gradient(x, x)",
            "RuntimeError",
            "non-persistent GradientTape can only be used to compute one set of gradients",
            6,
        ),
        (
            "import tensorflow as tf\nw = tf.Variable(2.0)\n@tf.custom_gradient\ndef f(x): return x * w, lambda dy: dy\n\nf(tf.ones(1))",
            "TypeError",
            "must accept keyword argument 'variables'",
            6,
        ),
        ("import tensorflow as tf\n\n@tf.function\ndef f(x):\n    return x + tf.ones(3)\nf(tf.ones(2))", "ValueError", "must be equal", 6),
    ],
)
def test_an_error_names_the_learners_line(tensorflow_programs: FrameworkPrograms, source: str, kind: str, words: str, line: int) -> None:
    result = tensorflow_programs.run(source)
    assert result.outcome == "raised"
    assert (result.error.type, result.error.traceback[0].line) == (kind, line)
    assert words in result.error.message
    assert "/site-packages/" not in result.error.message


def test_a_constant_that_nobody_watches_has_no_gradient(tensorflow_programs: FrameworkPrograms) -> None:
    source = "import tensorflow as tf\nx = tf.constant(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x\nprint(tape.gradient(y, x))"
    assert tensorflow_programs.run(source).stdout == "None\n"


def test_a_graph_a_dataset_and_a_network_run_and_nothing_is_logged(tensorflow_programs: FrameworkPrograms) -> None:
    source = """
import tensorflow as tf
data = tf.data.Dataset.range(8).map(lambda n: tf.cast(n, tf.float32), num_parallel_calls=tf.data.AUTOTUNE).batch(4).prefetch(1)
total = tf.function(lambda batch: tf.reduce_sum(batch @ tf.transpose(batch)))
print([float(total(batch[None])) for batch in data])
print("%.3f" % float(tf.function(lambda x: tf.sin(x) ** 2 + tf.cos(x) ** 2, jit_compile=True)(tf.constant(1.0))))
model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(tf.ones((8, 2)), tf.ones((8, 1)), epochs=2, verbose=0)
print(model.predict(tf.ones((1, 2)), verbose=0).shape)
"""
    result = tensorflow_programs.run(source)
    assert (result.outcome, result.stderr) == ("finished", ""), result
    assert result.stdout == "[14.0, 126.0]\n1.000\n(1, 1)\n"


def test_more_threads_than_a_run_may_have_are_warned_of(tensorflow_programs: FrameworkPrograms) -> None:
    source = (
        "import tensorflow as tf\ntf.config.threading.set_intra_op_parallelism_threads(64)\n"
        "tf.config.threading.set_inter_op_parallelism_threads(0)\n"
        "print(tf.config.threading.get_intra_op_parallelism_threads(), float(tf.reduce_sum(tf.ones((500, 500)) @ tf.ones((500, 500)))))"
    )
    result = tensorflow_programs.run(source)
    assert result.stdout == "1 125000000.0\n"
    assert result.stderr.startswith("<source>:2: UserWarning: tf.config.threading.set_intra_op_parallelism_threads(64): a run may use 1")


def test_a_program_may_still_say_what_is_fixed_from_the_first_operation_on(tensorflow_programs: FrameworkPrograms) -> None:
    source = (
        "import tensorflow as tf\ncpu, = tf.config.list_physical_devices('CPU')\n"
        "tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)\n"
        "print(len(tf.config.list_logical_devices()))"
    )
    assert tensorflow_programs.run(source).stdout == "2\n"


def test_a_figure_of_tensors_is_shown(tensorflow_programs: FrameworkPrograms) -> None:
    source = "import tensorflow as tf\nimport matplotlib.pyplot as plt\nplt.plot(tf.sin(tf.range(3.0)))\nplt.title('sine')\nplt.show()"
    (figure,) = figures_of(tensorflow_programs.run(source))
    assert figure.svg and figure.span.line == 5 and figure.texts[0].startswith("sine")


def test_more_memory_than_a_run_may_have_is_said(tensorflow_programs: FrameworkPrograms) -> None:
    result = tensorflow_programs.run("import tensorflow as tf\ntf.ones((40_000, 40_000))")
    assert result.outcome == "out_of_memory"


def test_the_facts_agree_with_what_is_installed(tensorflow_programs: FrameworkPrograms) -> None:
    source = (
        "from app.runtimes.recorder import Recorder\nfrom app.runtimes.tensorflow.tensorflow_runtime import make_instruments\n"
        "print(*[each.facts.name for each in make_instruments(Recorder())])"
    )
    assert tensorflow_programs.run(source).stdout.split() == [facts.name for facts in INSTRUMENTS["tensorflow"]]
