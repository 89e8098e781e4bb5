"""JAX programs in a confined child run as they would anywhere, and are shown as PyTorch's are."""

from typing import Any

import pytest

from app.protocol.instrument_facts import INSTRUMENTS
from tests.runtimes.framework_programs import FrameworkPrograms, figures_of, needs, values_of

pytestmark = needs("jax")


@pytest.mark.parametrize(
    ("expression", "shape", "dtype", "values"),
    [
        ("jnp.array([[1.5, 2.0], [float('nan'), 0.0]])", [2, 2], "float32", [[1.5, 2.0], ["nan", 0.0]]),
        ("jnp.arange(2)", [2], "int32", [0.0, 1.0]),
        ("jnp.bfloat16(3)", [], "bfloat16", 3.0),
        ("jnp.array([1 + 2j])", [1], "complex64", [[1.0, 2.0]]),
        ("jax.random.key(0)", None, None, None),
        ("jnp.zeros(1025)", [1025], "float32", None),
    ],
)
def test_the_value_of_a_trailing_expression_has_its_entries(
    jax_programs: FrameworkPrograms, expression: str, shape: list[int] | None, dtype: str | None, values: Any
) -> None:
    (value,) = values_of(jax_programs.run(f"import jax, jax.numpy as jnp\n{expression}"))
    found = [list(value.values[0])] if dtype == "complex64" else value.values
    assert (value.shape, value.dtype, found) == (shape, dtype, values)


def test_a_seed_gives_the_same_numbers_in_every_run(jax_programs: FrameworkPrograms) -> None:
    source = "import random, numpy\nprint(random.random(), numpy.random.rand())"
    first, again, other = (jax_programs.run(source, seed).stdout for seed in (1, 1, 2))
    assert first == again != other


def test_an_error_inside_a_compiled_function_names_the_learners_lines(jax_programs: FrameworkPrograms) -> None:
    result = jax_programs.run("import jax\n@jax.jit\ndef loss(x):\n    if x > 0:\n        return x\n    return -x\nloss(1.0)")
    assert (result.outcome, result.error.type, result.error.line) == ("raised", "TracerBoolConversionError", 4)
    assert [frame.line for frame in result.error.traceback] == [7, 4]
    assert "For simplicity" not in result.error.message


def test_a_traceback_that_the_program_prints_has_no_frames_of_ours(jax_programs: FrameworkPrograms) -> None:
    source = (
        "import jax, jax.numpy as jnp, traceback\n@jax.custom_vjp\ndef f(x):\n    return x\n"
        "f.defvjp(lambda x: (x, x), lambda x, g: g)\ntry:\n    jax.grad(f)(1.0)\nexcept TypeError:\n    print(traceback.format_exc())"
    )
    printed = jax_programs.run(source).stdout
    assert 'File "<source>", line 7' in printed
    assert "runpy" not in printed and "/app/" not in printed


def test_what_compiled_functions_print_is_seen_and_nothing_is_logged(jax_programs: FrameworkPrograms) -> None:
    source = """
import jax, jax.numpy as jnp
x = jax.random.normal(jax.random.key(0), (3, 3))
print(bool(jnp.allclose(jnp.linalg.inv(x) @ x, jnp.eye(3), atol=1e-4)))
print(jax.vmap(jax.grad(lambda x: jnp.sin(x) ** 2))(jnp.zeros(2)))
@jax.jit
def f(x):
    jax.debug.print("within {x}", x=x)
    return x
f(jnp.float32(2))
"""
    result = jax_programs.run(source)
    assert (result.outcome, result.stderr) == ("finished", "")
    assert result.stdout == "True\n[0. 0.]\nwithin 2.0\n"


@pytest.mark.parametrize(
    "setting",
    ["jax.config.update('jax_num_cpu_devices', 2)", "import os; os.environ['XLA_FLAGS'] = '--xla_force_host_platform_device_count=2'"],
)
def test_a_program_may_still_say_how_many_devices_there_are(jax_programs: FrameworkPrograms, setting: str) -> None:
    source = f"import jax\n{setting}\nprint(jax.pmap(lambda x: jax.lax.psum(x, 'd'), axis_name='d')(jax.numpy.arange(2.0)))"
    assert jax_programs.run(source).stdout == "[1. 1.]\n"


def test_a_figure_of_arrays_is_shown(jax_programs: FrameworkPrograms) -> None:
    source = "import jax.numpy as jnp\nimport matplotlib.pyplot as plt\nplt.plot(jnp.sin(jnp.arange(3.0)))\nplt.title('sine')\nplt.show()"
    (figure,) = figures_of(jax_programs.run(source))
    assert figure.svg and figure.span.line == 5 and figure.texts[0].startswith("sine")


def test_more_memory_than_a_run_may_have_is_said(jax_programs: FrameworkPrograms) -> None:
    assert jax_programs.run("import jax.numpy as jnp\nprint(jnp.ones((40_000, 40_000)).sum())").outcome == "out_of_memory"


def test_the_facts_agree_with_what_is_installed(jax_programs: FrameworkPrograms) -> None:
    source = (
        "from app.runtimes.jax.jax_runtime import make_instruments\nfrom app.runtimes.recorder import Recorder\n"
        "print(*[each.facts.name for each in make_instruments(Recorder())])"
    )
    assert jax_programs.run(source).stdout.split() == [facts.name for facts in INSTRUMENTS["jax"]]
