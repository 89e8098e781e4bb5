"""jax.test_util.check_grads is recorded at its line: right functions agree, and wrong versions give a failed comparison or an error."""

import pytest

from tests.runtimes.framework_programs import FrameworkPrograms, checks_of, needs
from tests.runtimes.jax.functions import LINEAR, LINEAR_TRANSPOSED, RELU, SINH, SINH_BAD, STRAIGHT_THROUGH

pytestmark = needs("jax")

X64 = 'import jax\njax.config.update("jax_enable_x64", True)\n'


@pytest.mark.parametrize(
    ("source", "inputs"),
    [
        (RELU + 'check_grads(relu, (x,), order=1, modes=["rev"])', ["x"]),
        (X64 + RELU + 'check_grads(jax.jit(relu), (x,), 1, ["rev"])', ["x"]),
        (LINEAR + 'check_grads(linear, draw(5), order=1, modes=["rev"])', ["x", "w", "b"]),
        (LINEAR + 'check_grads(linear, draw(4), order=1, modes=["rev"])', ["x", "w", "b"]),
        (SINH + "check_grads(jnp.sinh, (x,), order=1)", ["x"]),
        (SINH + 'check_grads(lambda parts: parts["a"] * parts["b"], ({"a": x, "b": x},), 1, ["rev"])', ["parts[0]", "parts[1]"]),
    ],
)
def test_what_is_right_agrees(jax_programs: FrameworkPrograms, source: str, inputs: list[str]) -> None:
    result = jax_programs.run(source)
    (check,) = checks_of(result)
    assert (result.outcome, result.stdout, result.stderr) == ("finished", "", ""), result
    assert check.passed, check
    assert (check.title, check.order, check.mode, check.span.line) == ("check_grads", 1, "reverse", source.count("\n") + 1)
    assert [pair.input_name for pair in check.pairs] == inputs


@pytest.mark.parametrize("precision", ["", X64])
def test_saved_intermediates_can_be_differentiated_twice(jax_programs: FrameworkPrograms, precision: str) -> None:
    result = jax_programs.run(precision + SINH + 'check_grads(sinh, (x,), order=2, modes=["rev"])')
    first, second = checks_of(result)
    assert (first.order, first.passed, second.order, second.passed) == (1, True, 2, True), (first, second)
    assert [(pair.output_name, pair.input_name) for pair in second.pairs] == [("grad_x", "x"), ("grad_x", "grad_output")]
    assert first.eps == (1e-4 if precision else pytest.approx(4.9e-3, rel=0.01))
    assert first.atol == (1e-5 if precision else 2e-3)


@pytest.mark.parametrize(
    "source",
    [
        RELU.replace("jnp.where(x > 0, g, 0),", "g,") + 'check_grads(relu, (x,), order=1, modes=["rev"])',
        LINEAR_TRANSPOSED + 'check_grads(linear, draw(4), order=1, modes=["rev"])',
        LINEAR.replace("g.sum(0)", "g.sum(0) * 0") + 'check_grads(linear, draw(5), order=1, modes=["rev"])',
        STRAIGHT_THROUGH + 'check_grads(quantise, (x,), order=1, modes=["rev"])',
    ],
)
def test_what_is_wrong_differs_and_jaxs_error_is_at_the_learners_line(jax_programs: FrameworkPrograms, source: str) -> None:
    result = jax_programs.run(source)
    (check,) = checks_of(result)
    assert (result.outcome, result.error.type, result.error.line) == ("raised", "AssertionError", source.count("\n") + 1)
    assert [frame.function for frame in result.error.traceback] == ["<module>"]
    assert check.passed is False
    assert check.message and check.message in result.error.message
    assert any(pair.failing for pair in check.pairs)


def test_an_intermediate_that_is_cut_off_is_wrong_in_the_second_order_alone(jax_programs: FrameworkPrograms) -> None:
    result = jax_programs.run(SINH_BAD + 'check_grads(sinh, (x,), order=2, modes=["rev"])')
    first, second = checks_of(result)
    assert result.error.type == "AssertionError"
    assert (first.passed, first.message, second.passed) == (True, None, False)
    assert [pair.failing for pair in second.pairs] == [3, 0]


@pytest.mark.parametrize(
    ("source", "kind", "words"),
    [
        (LINEAR_TRANSPOSED + 'check_grads(linear, draw(5), order=1, modes=["rev"])', "TypeError", "dot_general requires contracting"),
        (
            LINEAR.replace("g @ w, g.T @ x, g.sum(0)", "(g @ w,)") + 'check_grads(linear, draw(5), order=1, modes=["rev"])',
            "TypeError",
            "must produce a tuple of length equal to the number of arguments",
        ),
        (RELU + "check_grads(relu, (x,), order=1)", "TypeError", "can't apply forward-mode autodiff (jvp) to a custom_vjp function"),
        (
            SINH.replace("import jax\n", "import jax, numpy\n").replace("down = jnp.exp(x)", "down = numpy.exp(x)")
            + 'check_grads(sinh, (x,), order=2, modes=["rev"])',
            "TracerArrayConversionError",
            "numpy.ndarray conversion method",
        ),
    ],
)
def test_what_jax_refuses_is_its_own_error(jax_programs: FrameworkPrograms, source: str, kind: str, words: str) -> None:
    result = jax_programs.run(source)
    (check,) = checks_of(result)
    assert (result.outcome, result.error.type) == ("raised", kind)
    assert words in result.error.message and "For simplicity" not in result.error.message
    assert result.error.traceback[0].line == source.count("\n") + 1
    assert check.passed is False and words in (check.message or "") and not check.pairs


def test_the_program_notices_nothing_of_what_is_computed_besides(jax_programs: FrameworkPrograms) -> None:
    source = SINH + (
        "import random, warnings\ncalls = 0\n"
        "def noisy(x):\n    global calls\n    calls += 1\n    print('call', calls)\n    jax.debug.print('late')\n"
        "    warnings.warn('again')\n    random.random()\n    return x * x\n"
        "check_grads(noisy, (x,), 1, ['rev'])\nprint(random.random(), check_grads.__name__)"
    )
    result = jax_programs.run(source)
    assert result.outcome == "finished"
    assert result.stdout.count("call") == result.stdout.count("late") == 4
    assert result.stderr.count("UserWarning: again") == 1
    assert len(checks_of(result)) == 1


def test_forward_mode_alone_is_shown_as_such(jax_programs: FrameworkPrograms) -> None:
    source = SINH + (
        "@jax.custom_jvp\ndef cube(x):\n    return x ** 3\n"
        "@cube.defjvp\ndef jvp(primals, tangents):\n    return cube(*primals), 2 * primals[0] ** 2 * tangents[0]\n"
        "check_grads(cube, (x,), 1, ['fwd'])"
    )
    (check,) = checks_of(jax_programs.run(source))
    assert (check.mode, check.passed) == ("forward", False)
    assert [pair.failing for pair in check.pairs] == [3]
