"""What a gradient check shows, derived from its own Jacobians: what the child says is kept only where it agrees with them.

An entry fails unless it is equal, or |a - n| is finite and <= atol + rtol * |n| (torch.allclose), which is how
`app.runtimes.instruments.jacobian` counts, too. A test holds the two together.
"""

import math
from collections.abc import Iterable, Iterator
from itertools import chain

import msgspec

from app.protocol.number import Entry, encode_real
from app.protocol.records.gradcheck import JACOBIAN_ENTRIES, WORST, ClaimedGradcheck, Gradcheck, JacobianPair

# PyTorch computes in the tensors' own precision: so near to the tolerance, what it found stands. bfloat16 has 8 bits.
_ROUNDING = 0.01
_pairs = msgspec.json.Decoder(JacobianPair)
_encoder = msgspec.json.Encoder()
_LARGEST_RELATIVE = 2.0  # |a - n| / max(|a|, |n|) of finite numbers


class _Findings(msgspec.Struct, kw_only=True):
    """Of entries: how many fail whatever the tolerance really was, and how many may; `smallest` and `largest` are of |a - n|."""

    must_fail: int
    may_fail: int
    smallest: float
    largest: float
    relative: float


def judge_pair(check: Gradcheck, pair: JacobianPair) -> None:
    """Set `failing` and both errors of a pair. Raises ValueError when it contradicts itself."""
    size = pair.shape[0] * pair.shape[1]
    if pair.numerical is not None and pair.analytical is not None and pair.worst is None:
        check_shapes(check, pair)
        numerical, analytical = _numbers(chain.from_iterable(pair.numerical)), _numbers(chain.from_iterable(pair.analytical))
        hidden, relative = 0, 0.0
    elif pair.worst is not None and pair.numerical is None and pair.analytical is None:
        check_places(check, pair, size)
        numerical, analytical = _numbers(one.numerical for one in pair.worst), _numbers(one.analytical for one in pair.worst)
        hidden, relative = size - WORST, min(float(pair.max_rel_error or 0.0), _LARGEST_RELATIVE)
    else:
        raise ValueError("a pair has both Jacobians, or the worst entries of both")
    least, most = _tolerances(check, size, any(analytical))
    rtol = float(check.rtol) if any(analytical) else 0.0
    found = _find(numerical, analytical, least * (1 - _ROUNDING), most * (1 + _ROUNDING), rtol, float(check.rtol))
    may_fail = found.may_fail + (hidden if found.smallest > least * (1 - _ROUNDING) else 0)
    pair.failing = min(max(pair.failing, found.must_fail), max(may_fail, found.must_fail))
    pair.max_abs_error, pair.max_rel_error = encode_real(found.largest), encode_real(max(found.relative, relative))


def judge(check: ClaimedGradcheck) -> Iterator[None]:
    """Judge its pairs one by one, then the whole; between two, others may have their turns. Raises ValueError, or what decoding raises."""
    fails = False
    for index, claimed in enumerate(check.pairs):
        pair = _pairs.decode(claimed)
        judge_pair(check, pair)
        fails = fails or pair.failing > 0
        check.pairs[index] = msgspec.Raw(_encoder.encode(pair))
        yield
    conclude(check, fails)


def conclude(check: ClaimedGradcheck, fails: bool) -> None:
    """Set `passed`; `fails`: a pair does. Raises ValueError when the check contradicts itself."""
    if check.passed is not False and check.message is not None:
        raise ValueError("a check that did not fail has no message")
    if fails:
        check.passed = False
    elif check.passed is not False:
        check.passed = True if check.pairs else None
    elif check.message is None:
        raise ValueError("a check that failed says why, or where")


def check_shapes(check: Gradcheck, pair: JacobianPair) -> None:
    """Raise ValueError unless both Jacobians are there whole; in fast mode each is one number."""
    rows, columns = (1, 1) if check.mode == "fast" else pair.shape
    for matrix in (pair.numerical or [], pair.analytical or []):
        if rows * columns > JACOBIAN_ENTRIES or len(matrix) != rows or any(len(row) != columns for row in matrix):
            raise ValueError("a Jacobian is of another shape than its pair says")


def check_places(check: Gradcheck, pair: JacobianPair, size: int) -> None:
    """Raise ValueError unless these are the worst entries of Jacobians too large to be shown."""
    places = {(one.row, one.column) for one in pair.worst or () if one.row < pair.shape[0] and one.column < pair.shape[1]}
    if check.mode == "fast" or size <= JACOBIAN_ENTRIES or not len(places) == len(pair.worst or ()) == WORST:
        raise ValueError("these are not the worst entries of a large Jacobian")


def _tolerances(check: Gradcheck, size: int, is_nonzero: bool) -> tuple[float, float]:
    """The least and the most that atol can have been in the comparison.

    Where no output is differentiable, PyTorch compares with zeros exactly. In fast mode it scales atol (_adjusted_atol) by the sums of two
    random vectors of non-negative numbers and of norm 1, for complex inputs of three: each is at least 1, at most the root of its length.
    """
    atol = float(check.atol)
    least = atol if size and is_nonzero else 0.0
    return least, atol * 2 * math.sqrt(size) if check.mode == "fast" else atol


def _find(numerical: list[complex], analytical: list[complex], least: float, most: float, least_rtol: float, rtol: float) -> _Findings:
    size = _size if complex in map(type, chain(numerical, analytical)) else abs
    must_fail = may_fail = 0
    smallest, largest, relative = math.inf, 0.0, 0.0
    least_rtol, rtol = least_rtol * (1 - _ROUNDING), rtol * (1 + _ROUNDING)
    for n, a in zip(numerical, analytical, strict=True):
        if a == n:
            smallest = 0.0
            continue
        error, magnitude = size(a - n), size(n)
        is_finite = error < math.inf
        must_fail += not (is_finite and error <= most + rtol * magnitude)
        may_fail += not (is_finite and error <= least + least_rtol * magnitude)
        smallest = min(smallest, error)
        if not error <= largest:  # NaN stays, as in torch.max
            largest = error if largest == largest else largest
        ratio = error / (max(magnitude, size(a)) or math.nan)
        if not ratio <= relative:
            relative = ratio if relative == relative else relative
    return _Findings(must_fail=must_fail, may_fail=may_fail, smallest=smallest, largest=largest, relative=relative)


def _size(value: complex) -> float:
    return math.hypot(value.real, value.imag)  # abs of a complex number raises where this is infinite


def _numbers(entries: Iterable[Entry]) -> list[complex]:
    return [entry if type(entry) is float else _number(entry) for entry in entries]


def _number(entry: Entry) -> complex:
    return complex(float(entry[0]), float(entry[1])) if isinstance(entry, tuple) else float(entry)
