"""Observes torch.autograd.gradcheck and gradgradcheck, and records the Jacobians that PyTorch computes.

Installed in the zygote, called in the child. The methods below replace functions of PyTorch's module, which looks them up by name when it
calls them. Written against torch 2.13's gradcheck.py.
"""

import threading
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import torch

from app.protocol.instrument_facts import GRADCHECK
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.plain_text import str_of
from app.runtimes.stand_in import Call, stand_in
from app.runtimes.torch.instruments.comparison import Comparison, FastPairs, Mode, checks
from app.runtimes.torch.instruments.observed_check import ObservedCheck, Order

MESSAGE_CHARACTERS = 60_000


class GradcheckInstrument(Instrument):
    """Makes a record of each call, but not of calls within another check."""

    facts = GRADCHECK
    _local = threading.local()

    def install(self) -> None:
        for name, observer in (
            ("gradcheck", partial(self._observe, 1)),
            ("gradgradcheck", partial(self._observe, 2)),
            ("_gradcheck_helper", self._helper),
            ("_slow_gradcheck", self._compare),
            ("_fast_gradcheck", self._compare),
            ("_check_analytical_numerical_equal", self._compared_fast),
            ("_get_analytical_jacobian_forward_ad", partial(self._compute, Comparison.add_forward)),
            ("_combine_jacobian_cols", partial(self._compute, Comparison.add_numerical)),
            ("_stack_and_check_tensors", partial(self._compute, Comparison.add_analytical)),
        ):
            setattr(checks, name, stand_in(getattr(checks, name), observer))
        torch.autograd.gradcheck, torch.autograd.gradgradcheck = checks.gradcheck, checks.gradgradcheck

    @property
    def _check(self) -> ObservedCheck | None:
        return getattr(self._local, "check", None)

    @property
    def _comparing(self) -> Comparison | None:
        check = self._check
        return check.comparisons[-1] if check is not None and check.comparisons else None

    def _observe(self, order: Order, original: Call, *args: Any, **kwargs: Any) -> Any:
        outer = self._check
        if order == 1 and outer is not None and not outer.began and _is_second_order(args):  # gradgradcheck calls gradcheck itself
            return original(*args, **kwargs)
        check = self._begin(order, original, args, kwargs)
        try:
            return original(*args, **kwargs)
        except BaseException as error:
            if check is not None:
                check.message = check.message or str_of(error, MESSAGE_CHARACTERS)
                check.abandoned = not issubclass(type(error), Exception)  # the program is about to end
            raise
        finally:
            self._end(check, outer)

    def _begin(self, order: Order, original: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ObservedCheck | None:
        """Begin to observe a check, and return it. Return None within another check, while nothing is recorded, and for wrong arguments."""
        outer, self._local.check = self._check, None
        if outer is None and self.active and self.recorder.showing:
            with self.guarded():
                named = {**dict(zip(("func", "inputs"), args, strict=False)), **kwargs}
                options = {**getattr(original, "__kwdefaults__", {}), **kwargs}
                if "func" in named and "inputs" in named and _has_tolerances(options):
                    self._local.check = ObservedCheck(order, named["func"], checks._as_tuple(named["inputs"]), options)
        return self._check

    def _end(self, check: ObservedCheck | None, outer: ObservedCheck | None) -> None:
        self._local.check = outer
        if check is None or check.abandoned:
            return
        with self.guarded():
            if check.mismatched and check.comparisons:
                check.complete()
        with self.guarded():
            self.recorder.show(check.record(), self.recorder.sources.caller())

    def _helper(self, original: Call, *args: Any, **kwargs: Any) -> Any:
        """Observe PyTorch's function for the whole check, and store its error.

        With raise_exception=False, the caller of that function drops the error.
        """
        check = self._check
        if check is None or check.began:
            return original(*args, **kwargs)
        check.began, check.compared = True, kwargs.get("func")
        try:
            return original(*args, **kwargs)
        except Exception as error:
            check.mismatched = issubclass(type(error), checks.GradcheckError)
            check.message = str_of(error, MESSAGE_CHARACTERS)
            raise

    def _compare(self, original: Call, func: Any, func_out: Any, inputs: Any, outputs: Any, *args: Any, **kwargs: Any) -> Any:
        check = self._check
        if check is not None and check.began:
            with self.guarded():
                mode: Mode = "forward" if kwargs.get("use_forward_ad") else "reverse"
                complex_indices = kwargs.get("complex_indices")
                comparison = Comparison(
                    function=func,
                    returned=checks._as_tuple(func_out),
                    inputs=tuple(inputs),
                    outputs=outputs,
                    mode="fast" if original.__name__ == "_fast_gradcheck" else mode,
                    part=None if complex_indices is None else "imaginary" if kwargs.get("test_imag") else "real",
                    complex_indices=complex_indices or [],
                )
                check.comparisons.append(comparison)
        return original(func, func_out, inputs, outputs, *args, **kwargs)

    def _compute(self, add: Callable[[Comparison, Any], None], original: Call, *args: Any, **kwargs: Any) -> Any:
        """Observe one of PyTorch's functions that compute Jacobians, and give its result to the comparison that is being made."""
        computed = original(*args, **kwargs)
        comparison = self._comparing
        if comparison is not None:
            with self.guarded():
                add(comparison, computed)
        return computed

    def _compared_fast(self, original: Call, analytical: Any, numerical: Any, *args: Any, is_forward_ad: bool = False) -> Any:
        comparison = self._comparing
        if comparison is not None:
            with self.guarded():
                all_v, all_u, atol = args[4], args[5], args[7]
                comparison.fast = _fast_pairs(analytical, numerical, all_u, all_v, atol, is_forward_ad)
        return original(analytical, numerical, *args, is_forward_ad=is_forward_ad)


def _fast_pairs(analytical: Any, numerical: Any, all_u: Any, all_v: Any, atol: float, is_forward: bool) -> FastPairs:
    """Return the numerical and analytical values that _check_analytical_numerical_equal compares, and its tolerance for each pair."""
    return {
        (o, i): (
            numerical[i][o],
            analytical[i][o] if is_forward else analytical[o][i],
            checks._adjusted_atol(atol, all_u[i], all_v[o] if all_v else None),
        )
        for i, row in enumerate(numerical)
        for o in range(len(row))
    }


def _has_tolerances(options: dict[str, Any]) -> bool:
    try:
        return all(isinstance(float(options[name]), float) for name in ("eps", "atol", "rtol"))
    except Exception:
        return False


def _is_second_order(args: tuple[Any, ...]) -> bool:
    """Return whether gradgradcheck itself calls gradcheck with these arguments."""
    return bool(args) and type(args[0]) is FunctionType and args[0].__qualname__ == "gradgradcheck.<locals>.new_func"
