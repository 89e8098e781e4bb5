"""How a wrong gradient follows from the right one."""

import pytest
import torch

from app.probes.causes.matrices import find_relation, swapped_with
from app.probes.wrong_gradient import Draw

GENERATOR = torch.Generator().manual_seed(5)
EXPECTED = [torch.randn(3, 3, generator=GENERATOR, dtype=torch.float64) for _ in range(4)]
INCOMING = [torch.randn(3, generator=GENERATOR, dtype=torch.float64) for _ in range(4)]


def draws(got: list[torch.Tensor]) -> list[Draw]:
    return [Draw((incoming,), expected, each) for incoming, expected, each in zip(INCOMING, EXPECTED, got, strict=True)]


@pytest.mark.parametrize(
    ("code", "got"),
    [
        ("wrong-sign", [-each for each in EXPECTED]),
        ("wrong-factor", [each / 4 for each in EXPECTED]),
        ("zero-gradient", [torch.zeros_like(each) for each in EXPECTED]),
        ("transposed-gradient", [each.mT for each in EXPECTED]),
        ("ignores-grad-output", [EXPECTED[0] for _ in EXPECTED]),
    ],
)
def test_relation_is_named(code: str, got: list[torch.Tensor]) -> None:
    found = find_relation(draws(got))

    assert found is not None and found.code == code


def test_a_factor_of_one_draw_that_another_does_not_confirm_is_none() -> None:
    assert find_relation(draws([each * (number + 2) for number, each in enumerate(EXPECTED)])) is None


def test_a_gradient_that_is_wrong_by_its_precision_has_no_factor() -> None:
    assert find_relation(draws([each.float().double() for each in EXPECTED])) is None


def test_entries_that_are_not_known_are_left_out() -> None:
    unknown = EXPECTED[0].clone()
    unknown[0, 0] = torch.nan
    found = find_relation([Draw((INCOMING[0],), unknown, -EXPECTED[0]), Draw((INCOMING[1],), EXPECTED[1], -EXPECTED[1])])

    assert found is not None and found.code == "wrong-sign"


def test_zeros_are_not_the_gradient_of_another_input() -> None:
    zeros = torch.zeros(3, 3, dtype=torch.float64)

    assert swapped_with(EXPECTED[1], {0: EXPECTED[0], 1: EXPECTED[1]}, 0) == 1
    assert swapped_with(zeros, {0: EXPECTED[0], 1: zeros}, 0) is None
