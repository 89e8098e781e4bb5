"""gradcheck misses all that the card says it may miss."""

import tomllib
from typing import Any

import pytest
import torch
from torch.autograd import gradcheck

from app.pitfalls.pitfall_book import load_pitfalls
from app.settings import PROJECT

X = torch.tensor([-1.0, 2.0], dtype=torch.double, requires_grad=True)
W = torch.tensor([0.5, 3.0], dtype=torch.double, requires_grad=True)
CHECKED = {  # by pitfall, its Function and the inputs of the check
    "assumes-contiguous": ("Double", (X,)),
    "nonlinear-in-grad-output": ("Sine", (X,)),
    "below-tolerance": ("Tiny", (X,)),
    "clipped-gradient": ("Clip", (X,)),
    "option-ignored-in-backward": ("Leaky", (X, 0.1)),
    "needs-input-grad-ignored": ("Multiply", (X, W)),
    "grad-output-mutated": ("Tenfold", (X,)),
    "closure-tensor": ("Amplify", (X,)),
}


def test_every_pitfall_of_the_card_is_checked_here() -> None:
    card = tomllib.loads((PROJECT / "lessons/cards/gradcheck.toml").read_text(encoding="utf-8"))
    assert card["section"][-1]["heading"]["en"] == "What it may miss"
    assert card["section"][-1]["pitfalls"] == [*CHECKED]


@pytest.mark.parametrize("code", CHECKED)
def test_gradcheck_passes(code: str) -> None:
    function, inputs = CHECKED[code]
    names: dict[str, Any] = {}
    exec(load_pitfalls().pitfalls[code].wrong[0], names)  # a program of our own
    assert gradcheck(names[function].apply, inputs)
