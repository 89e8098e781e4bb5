"""Observes jax.test_util.check_grads, and records whole Jacobians at the line of the call: JAX compares only one random direction.

Installed in the zygote, called in the child. The Jacobians are computed after the call, unseen by the program, and compared with the
tolerances of the call. Written against JAX 0.10's public_test_util.py.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import jax
import jax.test_util
import numpy
from jax._src import public_test_util

from app.protocol.number import encode_real
from app.protocol.records.gradcheck import PAIRS, GradcheckRecord
from app.runtimes.instruments.argument_names import argument_names
from app.runtimes.instruments.gradient_check_instrument import GradientCheckInstrument, Observed
from app.runtimes.instruments.jacobian import jacobian_pair
from app.runtimes.jax.jacobians import (
    Function,
    analytical_jacobians,
    flat,
    gradient_of,
    numerical_jacobians,
    real_leaves,
    step_of,
)
from app.runtimes.silence import is_only_thread, unseen
from app.runtimes.stand_in import stand_in

Names = Sequence[str | None]

_PARAMETERS = ("f", "args", "order", "modes", "atol", "rtol", "eps")
_DEFAULTS: dict[str, Any] = {"modes": ("fwd", "rev"), "atol": None, "rtol": None, "eps": None}


class CheckGradsInstrument(GradientCheckInstrument):
    """Records the Jacobians of a function (order 1) and of its gradient (order 2).

    It records order 2 only if the call asks for it in reverse mode and order 1 agrees.
    """

    def install(self) -> None:
        observed = stand_in(public_test_util.check_grads, self.observe)
        public_test_util.check_grads = jax.test_util.check_grads = observed

    def records(self, call: Observed) -> Iterator[GradcheckRecord]:
        given = {**_DEFAULTS, **call.named(*_PARAMETERS)}
        raised = call.message is not None and not call.mismatched  # before it compared anything
        orders = [] if raised or not is_only_thread() else self._compare(given)
        if not orders:
            orders = [self._record(given, 1, "reverse")]
        orders[-1].passed = orders[-1].passed and call.message is None
        orders[-1].message = call.message
        yield from orders

    def _compare(self, given: dict[str, Any]) -> list[GradcheckRecord]:
        """Return a record for each order that could be compared."""
        found: list[GradcheckRecord] = []
        jax.effects_barrier()  # waits until everything that the program has printed is written
        with unseen():
            function, inputs = flat(given["f"], given["args"])
            names = self._names_of(given)
            outputs = function(*inputs)
            found.append(self._compare_one(given, 1, function, inputs, outputs, names, []))
            if found[0].passed and given["order"] > 1 and "rev" in given["modes"]:
                gradient, arguments = gradient_of(function, inputs, outputs)
                incoming = ["grad_output"] if len(outputs) == 1 else [f"grad_output_{index}" for index in range(len(outputs))]
                of_gradients = [name and f"grad_{name}" for name in names]
                gradients = gradient(*arguments)
                found.append(self._compare_one(given, 2, gradient, arguments, gradients, [*names, *incoming], of_gradients))
            jax.effects_barrier()
        return found

    def _compare_one(
        self,
        given: dict[str, Any],
        order: Literal[1, 2],
        function: Function,
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        input_names: Names,
        output_names: Names,
    ) -> GradcheckRecord:
        """Compare each mode with the numerical Jacobians. Return the record of the first mode that differs, or else of the first mode."""
        step = step_of(float(given["eps"] or public_test_util.EPS), inputs)
        numerical = numerical_jacobians(function, inputs, step)
        records = []
        modes: list[Literal["reverse", "forward"]] = ["reverse"] if "rev" in given["modes"] else []
        for mode in [*modes, "forward"] if "fwd" in given["modes"] and order == 1 else modes:
            record = self._record(given, order, mode, step, inputs)
            analytical = analytical_jacobians(function, inputs, outputs, mode)
            atol, rtol = float(record.atol), float(record.rtol)
            for output, of_input in sorted(numerical.keys() & analytical.keys())[:PAIRS]:
                place, shapes = (output, of_input), (inputs[of_input].shape, numpy.shape(outputs[output]))
                pair = jacobian_pair(place, numerical[place], analytical[place], atol, rtol, *shapes)
                pair.input_name = input_names[of_input] if of_input < len(input_names) else None
                pair.output_name = output_names[output] if output < len(output_names) else None
                record.pairs.append(pair)
            record.passed = not any(pair.failing for pair in record.pairs)
            records.append(record)
        return next((record for record in records if not record.passed), records[0])

    def _record(
        self,
        given: dict[str, Any],
        order: Literal[1, 2],
        mode: Literal["reverse", "forward"],
        step: float = public_test_util.EPS,
        inputs: Sequence[Any] = (),
    ) -> GradcheckRecord:
        return GradcheckRecord(
            title="check_grads",
            order=order,
            mode=mode,
            passed=True,
            eps=encode_real(step),
            atol=encode_real(tolerance(given["atol"], inputs)),
            rtol=encode_real(tolerance(given["rtol"], inputs)),
        )

    def _names_of(self, given: dict[str, Any]) -> list[str | None]:
        """Return the name of each input: the name of its argument, with an index if this argument contains several inputs."""
        arguments = given["args"]
        names: list[str | None] = []
        for name, argument in zip(argument_names(given["f"], len(arguments)), arguments, strict=True):
            count = len(real_leaves(argument))
            names += [name] if count == 1 else [name and f"{name}[{index}]" for index in range(count)]
        return names


def tolerance(given: Any, inputs: Sequence[Any]) -> float:
    """Return the largest tolerance of all inputs' dtypes. JAX's defaults replace what the call does not give."""
    merged = public_test_util._merge_tolerance(given, public_test_util.default_gradient_tolerance)
    dtypes = [each.dtype for each in inputs] or [jax.dtypes.canonicalize_dtype(float)]
    return max(float(public_test_util.tolerance(dtype, merged)) for dtype in dtypes)
