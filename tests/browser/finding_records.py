"""Records of the doctor, written by hand as the API sends them: diagnoses of SinhBad's class, and properties that probes confirmed."""

from typing import Any

from tests.browser.trace_records import CLASS, span

Record = dict[str, Any]


def edit(place: Record, text: str) -> Record:
    return {"span": place, "text": text}


def diagnosis(code: str = "saved-intermediate", severity: str = "error", **fields: Any) -> Record:
    words = {
        "message": "forward saves `ctx.up`, which is neither an input nor an output; backward uses it in line 13.",
        "change": "Save `x`, and compute `ctx.up` again in backward.",
        "lesson": "own-functions/why",
        "title": "An intermediate result is saved",
    }
    about = {"values": {}, "evidence": [], "places": {}, "edits": [], "explains": []}
    return {"kind": "diagnosis", "code": code, "severity": severity, "span": span(7, 8, 29, CLASS), **about, **words, **fields}


def mendable(**fields: Any) -> Record:
    """Return a diagnosis whose change is two edits of the class, one of them in the middle of a line."""
    edits = [edit(span(7, 17, 29, CLASS), "torch.exp(x.clone())"), edit(span(13, 8, 14, CLASS), "return 1 *")]
    return diagnosis(edits=edits, evidence=["saved-1", "t-ctx.up"], **fields)


def warning(**fields: Any) -> Record:
    words = {
        "message": "The gradient of `x` is half of what it should be.",
        "change": "Divide by 2 once.",
        "lesson": None,
        "title": "",
    }
    return diagnosis("constant-factor", "warning", **{"span": span(13, 8, 52, CLASS), "evidence": ["replay-1"], **words, **fields})


def hint(**fields: Any) -> Record:
    words: Record = {
        "message": "backward ignores `needs_input_grad`, so it computes gradients that nobody uses.",
        "change": None,
        "lesson": None,
        "title": "A gradient that nobody needs is computed",
    }
    return diagnosis("needs-input-grad-ignored", "hint", **{"span": span(11, 4, 30, CLASS), **words, **fields})


def examined(*held: str, **fields: Any) -> Record:
    return {"kind": "examined", "function": "SinhBad", "held": list(held), "failed": [], "span": None, **fields}


NAMES = ("gradient", "second", "linear", "layout", "unchanged", "types", "inputs", "repeatable")
