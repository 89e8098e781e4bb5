"""Examines Functions that are written in a test."""

from typing import Any

import torch

from app.probes.calls.prepared_call import ApplyCall
from app.probes.examine import ProbeReport, examine

SECONDS = 60.0  # long, because tests must not depend on the speed of the machine


def examined(function: type[torch.autograd.Function], *arguments: Any, seconds: float = SECONDS) -> ProbeReport:
    return examine(ApplyCall(function, arguments), lambda name: None, seconds)


def codes(function: type[torch.autograd.Function], *arguments: Any) -> set[str]:
    return {each.code for each in examined(function, *arguments).observations}


def leaf(*shape: int, dtype: torch.dtype = torch.float64, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, dtype=dtype, generator=torch.Generator().manual_seed(seed)).requires_grad_()
