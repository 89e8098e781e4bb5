import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.library import custom_op


@custom_op("course::softsign", mutates_args=())
def softsign(x: torch.Tensor) -> torch.Tensor:
    a = x.numpy(force=True)
    return torch.as_tensor(a / (1 + abs(a)))


@softsign.register_fake
def _(x):
    return torch.empty_like(x)  # shape and dtype, no values
