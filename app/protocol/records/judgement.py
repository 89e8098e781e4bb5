"""Derives what a gradient check shows from its own Jacobians. A child's own statement is used only where it agrees with them.

An analytical entry a and a numerical entry n fail unless they are equal, or |a - n| is finite and <= atol + rtol * |n| (torch.allclose).
`app.runtimes.instruments.jacobian` counts in the same way; a test compares the two.
"""

import math
from collections.abc import Iterator

import msgspec

from app.protocol.number import encode_real
from app.protocol.records.findings import Entries, is_true_of, size
from app.protocol.records.gradcheck import ClaimedGradcheck, Gradcheck, JacobianPair
from app.protocol.records.known_entries import count_hidden, known_entries

# PyTorch computes in the tensors' own precision, so its own finding is accepted this near to the tolerance. bfloat16 has 8 bits.
_ROUNDING = 0.01
_pairs = msgspec.json.Decoder(JacobianPair)
_encoder = msgspec.json.Encoder()
_LARGEST_RELATIVE = 2.0  # |a - n| / max(|a|, |n|) of finite numbers


def judge_pair(check: Gradcheck, pair: JacobianPair) -> None:
    """Set `failing`, both errors and the finding of a pair. Raises ValueError when the pair contradicts itself."""
    shapes = (pair.input_shape, pair.output_shape)
    if any(shape is not None and math.prod(shape) != length for shape, length in zip(shapes, pair.shape, strict=True)):
        raise ValueError("a Jacobian has a row for each entry of the input, a column for each of the output")
    entries = known_entries(check, pair)
    is_nonzero = any(analytical for _, analytical in entries.values())
    least, most = _tolerances(check, pair.shape[0] * pair.shape[1], is_nonzero)
    rtol = float(check.rtol) if is_nonzero else 0.0
    must_fail, may_fail, largest, relative = _count(entries, least * (1 - _ROUNDING), most * (1 + _ROUNDING), rtol, float(check.rtol))
    if pair.blocks is not None:
        may_fail += count_hidden(pair, pair.blocks, entries, least * (1 - _ROUNDING))
        relative = max(relative, min(float(pair.max_rel_error or 0.0), _LARGEST_RELATIVE))
    pair.failing = min(max(pair.failing, must_fail), max(may_fail, must_fail))
    pair.max_abs_error, pair.max_rel_error = encode_real(largest), encode_real(relative)
    _judge_finding(check, pair, entries)


def _judge_finding(check: Gradcheck, pair: JacobianPair, entries: Entries) -> None:
    if check.mode == "fast":
        pair.finding = None
    elif pair.failing == 0:
        pair.finding = "agree"
    elif pair.finding is None or not is_true_of(pair.finding, pair.factor, entries, pair.shape):
        pair.finding = "differ"
    if pair.finding != "factor":
        pair.factor = None


def judge(check: ClaimedGradcheck) -> Iterator[None]:
    """Judge the pairs one by one, then the whole check. Yields after each pair, so that other work can be done in between.

    Raises ValueError if the check contradicts itself, and what decoding raises.
    """
    fails = False
    for index, claimed in enumerate(check.pairs):
        pair = _pairs.decode(claimed)
        judge_pair(check, pair)
        fails = fails or pair.failing > 0
        check.pairs[index] = msgspec.Raw(_encoder.encode(pair))
        yield
    conclude(check, fails)


def conclude(check: ClaimedGradcheck, fails: bool) -> None:
    """Set `passed`. `fails`: whether a pair fails. Raises ValueError when the check contradicts itself."""
    if check.passed is not False and check.message is not None:
        raise ValueError("a check that did not fail has no message")
    if fails:
        check.passed = False
    elif check.passed is not False:
        check.passed = True if check.pairs else None
    elif check.message is None:
        raise ValueError("a check that failed says why, or where")


def _tolerances(check: Gradcheck, size: int, is_nonzero: bool) -> tuple[float, float]:
    """Return the lowest and the highest atol that the comparison can have used.

    If no output is differentiable, PyTorch compares with zeros exactly. In fast mode it multiplies atol (_adjusted_atol) by the sums of two
    random vectors, of three for complex inputs. Their numbers are not negative and their norm is 1, so each sum is at least 1 and at most
    the root of the vector's length.
    """
    atol = float(check.atol)
    least = atol if size and is_nonzero else 0.0
    return least, atol * 2 * math.sqrt(size) if check.mode == "fast" else atol


def _count(entries: Entries, least: float, most: float, least_rtol: float, rtol: float) -> tuple[int, int, float, float]:
    """Return how many entries fail with every tolerance that may have been used, and how many fail with some.

    The other two are the largest |a - n|, and the largest ratio.
    """
    must_fail = may_fail = 0
    largest, relative = 0.0, 0.0
    least_rtol, rtol = least_rtol * (1 - _ROUNDING), rtol * (1 + _ROUNDING)
    for n, a in entries.values():
        if a == n:
            continue
        error, magnitude = size(a - n), size(n)
        is_finite = error < math.inf
        must_fail += not (is_finite and error <= most + rtol * magnitude)
        may_fail += not (is_finite and error <= least + least_rtol * magnitude)
        if not error <= largest:  # NaN stays, as in torch.max
            largest = error if largest == largest else largest
        ratio = error / (max(magnitude, size(a)) or math.nan)
        if not ratio <= relative:
            relative = ratio if relative == relative else relative
    return must_fail, may_fail, largest, relative
