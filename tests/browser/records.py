"""Records that a run can show, written by hand as the API sends them."""

from collections.abc import Sequence

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

Matrix = Sequence[Sequence[object]]


PAIR_FIELDS = ("shape", "finding", "factor", "blocks", "input_shape", "output_shape")


def gradcheck(numerical: Matrix | None, analytical: Matrix | None, **fields: object) -> dict[str, object]:
    """Return a check of one pair, which fails unless `failing` is 0. `shape` is that of the matrices unless it is given."""
    failing = fields.pop("failing", 1)
    shape = [len(numerical), len(numerical[0])] if numerical else None
    pair = {
        "output": 0, "input": 0, "output_name": None, "input_name": "x", "shape": shape, "numerical": numerical, "analytical": analytical,
        "max_abs_error": 0.5, "max_rel_error": 0.5, "failing": failing, "finding": "differ" if failing else "agree",
    }  # fmt: skip
    pair |= {name: fields.pop(name) for name in PAIR_FIELDS if name in fields}
    check = {"order": 1, "mode": "reverse", "passed": failing == 0, "message": None, "eps": 1e-6, "atol": 1e-5, "rtol": 1e-3}
    return {"kind": "gradcheck", **check, "pairs": [pair], **fields}


FIGURE_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240">'
    '<defs><clipPath id="p1"><rect x="40" y="20" width="260" height="170"/></clipPath><path id="m1" d="M-3 0L3 0M0 -3L0 3"/></defs>'
    '<rect x="0" y="0" width="320" height="240" fill="#ffffff" data-fill="background"/>'
    '<path d="M40 105L300 105M170 20L170 190" fill="none" stroke="#b0b0b0" stroke-width="0.8" data-stroke="muted"/>'
    '<g clip-path="url(#p1)"><path d="M40 190L105 120L170 150L235 60L300 20" fill="none" stroke="#1f77b4" stroke-width="2"/>'
    '<use href="#m1" x="105" y="120" stroke="#d62728"/><use href="#m1" x="235" y="60" stroke="#d62728"/></g>'
    '<path d="M40 20L40 190L300 190L300 20Z" fill="none" stroke="#000000" stroke-width="0.8" data-stroke="line"/>'
    '<text x="170" y="14" text-anchor="middle" font-size="12" font-family="sans-serif" fill="#000000" data-fill="text">Loss of a run</text>'
    '<text x="170" y="222" text-anchor="middle" font-size="10" font-family="sans-serif" fill="#000000" data-fill="text">step 步数</text>'
    "</svg>"
)


def figure(svg: str | None = FIGURE_SVG, png: str | None = None, note: str | None = None, **fields: object) -> dict[str, object]:
    texts = ["Loss of a run", "step 步数"]
    return {"kind": "figure", "width": 320, "height": 240, "texts": texts, "svg": svg, "png": png, "note": note, **fields}


def fault(instrument: str = "graph", reason: str = "KeyError: 'x'") -> dict[str, object]:
    return {"kind": "fault", "instrument": instrument, "reason": reason}


def replay() -> dict[str, object]:
    """Return a record of a kind that the API has and for which the page has no view of its own."""
    return {"kind": "replay", "call": "backward", "number": 1, "of": 1, "steps": []}


def unknown(kind: str = "spectrum", **fields: object) -> dict[str, object]:
    return {"kind": kind, "bands": [1, 2, 3], **fields}
