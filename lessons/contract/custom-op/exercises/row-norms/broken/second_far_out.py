import numpy as np
import torch
from torch.library import custom_op, opcheck


@custom_op("course::row_norms", mutates_args=())
def row_norms(x: torch.Tensor) -> torch.Tensor:
    return torch.as_tensor(np.linalg.norm(x.numpy(force=True), axis=1))


@row_norms.register_fake
def _(x):
    return x.new_empty(x.shape[0])


def setup_context(ctx, inputs, output):
    ctx.save_for_backward(*inputs, output)


def backward(ctx, grad_output):
    x, norms = ctx.saved_tensors
    norms = torch.where(norms > 500, norms.detach(), norms)
    return (grad_output / norms).unsqueeze(1) * x


row_norms.register_autograd(backward, setup_context=setup_context)


def promised(x):
    return torch.zeros(row_norms(x.to("meta")).shape)


def tested(x):
    x = x.detach().requires_grad_()
    results = opcheck(row_norms, (x,), raise_exception=False)
    return torch.tensor([one == "SUCCESS" for one in results.values()])
