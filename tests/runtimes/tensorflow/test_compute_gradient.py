"""tf.test.compute_gradient is recorded at its line: right functions agree, and wrong versions give a failed comparison or an error."""

import pytest

from tests.runtimes.framework_programs import FrameworkPrograms, checks_of, needs
from tests.runtimes.tensorflow.functions import LINEAR, LINEAR_OF_A_TUTORIAL, RELU, SINH, SINH_BAD, STRAIGHT_THROUGH

pytestmark = needs("tensorflow")


@pytest.mark.parametrize(
    ("source", "inputs"),
    [
        (RELU + "tf.test.compute_gradient(relu, [x])", ["x"]),
        (RELU + "tf.test.compute_gradient(relu, x=[tf.cast(x, tf.float32)], delta=1e-2)", ["x"]),
        (RELU + "tf.test.compute_gradient(tf.function(relu), [x])", ["x"]),
        (LINEAR + "tf.test.compute_gradient(linear, draw(5))", ["x", "w", "b"]),
        (LINEAR + "tf.test.compute_gradient(linear, draw(4))", ["x", "w", "b"]),
        (SINH + "tf.test.compute_gradient(sinh, [x])", ["x"]),
        (SINH + "tf.test.compute_gradient(slope, [x])", ["x"]),
        (STRAIGHT_THROUGH + "tf.test.compute_gradient(lambda x: x, [x])", ["x"]),
    ],
)
def test_what_is_right_agrees(tensorflow_programs: FrameworkPrograms, source: str, inputs: list[str]) -> None:
    result = tensorflow_programs.run(source)
    (check,) = checks_of(result)
    assert result.outcome == "finished" and result.stderr == ""
    assert check.passed, check
    assert (check.title, check.order, check.span.line) == ("tf.test.compute_gradient", 1, source.count("\n") + 1)
    assert [pair.input_name for pair in check.pairs] == inputs


@pytest.mark.parametrize(
    "source",
    [
        RELU.replace("tf.where(x > 0, dy, tf.zeros_like(dy))", "dy") + "tf.test.compute_gradient(relu, [x])",
        RELU.replace("return tf.where", "return -tf.where") + "tf.test.compute_gradient(relu, [x])",
        LINEAR_OF_A_TUTORIAL + "tf.test.compute_gradient(linear, draw(4))",
        LINEAR.replace("tf.reduce_sum(dy, axis=0)", "tf.zeros_like(b)") + "tf.test.compute_gradient(linear, draw(5))",
        SINH_BAD + "tf.test.compute_gradient(slope, [x])",
        STRAIGHT_THROUGH + "tf.test.compute_gradient(quantise, [x])",
    ],
)
def test_what_is_wrong_without_a_word_differs(tensorflow_programs: FrameworkPrograms, source: str) -> None:
    result = tensorflow_programs.run(source)
    (check,) = checks_of(result)
    assert result.outcome == "finished"
    assert check.passed is False
    assert any(pair.failing for pair in check.pairs)


def test_an_intermediate_that_is_cut_off_is_wrong_in_the_second_order_alone(tensorflow_programs: FrameworkPrograms) -> None:
    source = SINH_BAD + "tf.test.compute_gradient(sinh, [x])\ntf.test.compute_gradient(slope, [x])"
    first, second = checks_of(tensorflow_programs.run(source))
    assert (first.passed, second.passed) == (True, False)


@pytest.mark.parametrize(
    ("source", "kind", "words", "line"),
    [
        (LINEAR_OF_A_TUTORIAL + "tf.test.compute_gradient(linear, draw(5))", "InvalidArgumentError", "Matrix size-incompatible", 6),
        (
            RELU.replace("tf.where(x > 0, dy, tf.zeros_like(dy))", "dy * tf.cast(x > 0, tf.float32)")
            + "tf.test.compute_gradient(relu, [x])",
            "InvalidArgumentError",
            "expected to be a double tensor but is a float tensor",
            6,
        ),
        (
            LINEAR.replace(", tf.matmul(dy, x, transpose_a=True), tf.reduce_sum(dy, axis=0)", "")
            + "tf.test.compute_gradient(linear, draw(5))",
            "ValueError",
            "expected to return 3 gradients",
            10,
        ),
    ],
)
def test_what_tensorflow_refuses_is_its_own_error_at_the_learners_line(
    tensorflow_programs: FrameworkPrograms, source: str, kind: str, words: str, line: int
) -> None:
    result = tensorflow_programs.run(source)
    (check,) = checks_of(result)
    assert result.outcome == "raised"
    assert (result.error.type, result.error.line) == (kind, line)
    assert words in result.error.message
    assert check.passed is False and words in (check.message or "")


def test_what_is_returned_is_tensorflows_own(tensorflow_programs: FrameworkPrograms) -> None:
    source = RELU + (
        "theoretical, numerical = tf.test.compute_gradient(relu, [x])\n"
        "print(len(theoretical), theoretical[0].shape, numerical[0].dtype, tf.test.compute_gradient.__name__)\n"
        "try:\n    tf.test.compute_gradient(relu, x)\nexcept ValueError as error:\n    print(error)"
    )
    result = tensorflow_programs.run(source)
    assert result.stdout.splitlines()[0] == "1 (4, 4) float64 compute_gradient"
    assert result.stdout.splitlines()[1].startswith("`x` must be a list or tuple")


def test_a_step_of_no_length_and_text_for_one_are_tensorflows_to_complain_of(tensorflow_programs: FrameworkPrograms) -> None:
    result = tensorflow_programs.run(RELU + "tf.test.compute_gradient(relu, [x], delta=0.0)")
    (check,) = checks_of(result)
    assert check.passed is False and not result.stderr.count("app/")


def test_single_precision_of_large_outputs_and_half_precision_do_not_fail_by_rounding(tensorflow_programs: FrameworkPrograms) -> None:
    source = """
import tensorflow as tf
x = tf.random.normal((6,)) * 3
tf.test.compute_gradient(lambda x: x * x, [x])
tf.test.compute_gradient(tf.sin, [tf.cast(x, tf.bfloat16)], delta=0.25)
tf.test.compute_gradient(lambda z: z * z, [tf.complex(x, x)])
"""
    assert [check.passed for check in checks_of(tensorflow_programs.run(source))] == [True, True, True]
