"""Records made by hand, as the API sends them: what a run can show, without a run."""

from collections.abc import Sequence

Matrix = Sequence[Sequence[object]]


def gradcheck(numerical: Matrix, analytical: Matrix, **fields: object) -> dict[str, object]:
    """A check of one pair, which fails unless `failing` is 0; `shape` is that of the matrices unless it is given."""
    failing = fields.pop("failing", 1)
    shape = fields.pop("shape", [len(numerical), len(numerical[0])])
    pair = {
        "output": 0, "input": 0, "output_name": None, "input_name": "x", "shape": shape, "numerical": numerical, "analytical": analytical,
        "worst": None, "max_abs_error": 0.5, "max_rel_error": 0.5, "failing": failing, "cause": None,
    }  # fmt: skip
    check = {"order": 1, "mode": "reverse", "passed": failing == 0, "message": None, "eps": 1e-6, "atol": 1e-5, "rtol": 1e-3}
    return {"kind": "gradcheck", **check, "pairs": [pair], **fields}


def fault(instrument: str = "graph", reason: str = "KeyError: 'x'") -> dict[str, object]:
    return {"kind": "fault", "instrument": instrument, "reason": reason}


def unknown(kind: str = "spectrum", **fields: object) -> dict[str, object]:
    return {"kind": kind, "bands": [1, 2, 3], **fields}
