"""`Subject`: a function of the learner's program, and all checks of it that a checks.py can call. Runs in the grader's child."""

from collections.abc import Callable
from functools import partial, partialmethod, wraps
from typing import Any

from app.runtimes.torch.calls.remote_graph import RaisedThere
from app.runtimes.torch.grading.checks.behaviour import behaves_like
from app.runtimes.torch.grading.checks.contract_checks import check_dirty, check_interleaved, check_raises, check_untouched
from app.runtimes.torch.grading.checks.edge_checks import check_edges
from app.runtimes.torch.grading.checks.function_pair import FunctionPair
from app.runtimes.torch.grading.checks.gradient_checks import (
    check_gradients,
    check_linear,
    check_needs,
    check_numerically,
    check_order,
)
from app.runtimes.torch.grading.checks.layout_checks import check_strides
from app.runtimes.torch.grading.checks.value_checks import check_close, check_dtypes, check_scalars, check_scale, check_values
from app.runtimes.torch.grading.not_passed import NotPassed


def _recorded(aspect: str, check: Callable[..., None]) -> Callable[..., None]:
    """Return the check, which also records in `asked` that it was made and whether it was passed: `edges` need not ask the same again."""

    @wraps(check)
    def run(pair: FunctionPair, *args: Any, **kwargs: Any) -> None:
        key = pair.name, aspect
        try:
            check(pair, *args, **kwargs)
        except (NotPassed, RaisedThere):
            pair.asked[key] = False
            raise
        pair.asked.setdefault(key, True)

    return run


class Subject(FunctionPair):
    """A pair of functions with every check that an author can make of it; docs/checks.md explains each.

    Each check raises NotPassed if the learner's function does not pass it.
    """

    values = check_values
    dtypes = _recorded("dtypes", check_dtypes)
    scalars = check_scalars
    scale = _recorded("scale", check_scale)
    close = check_close
    gradients = check_gradients
    second = _recorded("second", partial(check_order, order=2))
    third = _recorded("second", partial(check_order, order=3))
    linear = _recorded("linear", check_linear)
    needs = check_needs
    gradcheck = partialmethod(check_numerically, "gradcheck")
    gradgradcheck = _recorded("second", partial(check_numerically, name="gradgradcheck"))
    strides = _recorded("strides", check_strides)
    edges = _recorded("edges", check_edges)
    untouched = _recorded("untouched", check_untouched)
    interleaved = check_interleaved
    dirty = check_dirty
    raises = check_raises
    behaves_like = behaves_like

    def holds(self, method: str, *args: Any, **kwargs: Any) -> bool:
        """Return whether the learner's function passes the check of this name, called with these arguments."""
        before = {**self.asked}
        try:
            getattr(self, method)(*args, **kwargs)
        except (NotPassed, RaisedThere):
            self.asked.clear()
            self.asked.update(before)  # the caller may accept this, so nothing has been reported
            return False
        return True

    def runs(self, args: list[Any], *, back: bool = False) -> int:
        """Return how often autograd runs while the learner's function is called with `args`.

        With `back`, count instead the runs in the backward pass of this call, without the pass itself.
        """
        graph = self.theirs.call(args, watch=not back)
        return (self.theirs.pull(graph, self.incoming(graph), watch=True) if back else graph).runs
