import numpy as np
import torch
from torch.library import custom_op, opcheck


@custom_op("course::row_norms", mutates_args=())
def row_norms(x: torch.Tensor) -> torch.Tensor:
    return torch.as_tensor(np.linalg.norm(x.numpy(force=True), axis=1))


@row_norms.register_fake
def _(x):
    return x[:, 0].clone()


def keep(ctx, inputs, output):
    (x,) = inputs
    ctx.save_for_backward(x)


def backward(ctx, g):
    (x,) = ctx.saved_tensors
    return g[:, None] * x / x.square().sum(1, keepdim=True).sqrt()


row_norms.register_autograd(backward, setup_context=keep)


def promised(x):
    return torch.zeros(row_norms(x.to("meta")).shape)


def tested(x):
    x = x.detach().requires_grad_()
    results = opcheck(row_norms, (x,), raise_exception=False)
    return torch.tensor([one == "SUCCESS" for one in results.values()])
