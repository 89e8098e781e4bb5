"""Which inputs of gradcheck have several entries in one place of memory."""

import tracemalloc

import pytest
import torch

from app.runtimes.torch.tracing.failed_checks import overlaps

LARGE = 10**6


@pytest.mark.parametrize(
    "tensor",
    [
        torch.ones(1).expand(3),
        torch.ones(2, 1).expand(2, 3),
        torch.ones(1).expand(LARGE),
        torch.ones(8).unfold(0, 4, 2),
        torch.ones(8).as_strided((2, 3), (2, 1)),
    ],
)
def test_entries_that_share_a_place_are_found(tensor: torch.Tensor) -> None:
    assert overlaps(tensor)


@pytest.mark.parametrize(
    "tensor",
    [
        torch.ones(()),
        torch.ones(2, 3),
        torch.ones(2, 3).T,
        torch.ones(8)[::2],
        torch.ones(1).expand(1, 1),
        torch.ones(8).unfold(0, 4, 4),
        torch.ones(8).to_sparse(),
        torch.ones(LARGE),
    ],
)
def test_entries_with_places_of_their_own_are_not(tensor: torch.Tensor) -> None:
    assert not overlaps(tensor)


def test_a_large_tensor_with_overlapping_windows_is_not_searched() -> None:
    assert not overlaps(torch.ones(LARGE).unfold(0, 4, 2))


def test_a_tensor_without_entries_is_not_searched() -> None:
    tracemalloc.start()
    try:
        assert not overlaps(torch.empty(LARGE, 0))
        assert tracemalloc.get_traced_memory()[1] < 10**6  # bytes
    finally:
        tracemalloc.stop()
