import numpy as np
import torch


class RowNorms(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        if x.device.type == "meta":
            return x.new_empty(x.shape[0])
        norms = torch.as_tensor(np.linalg.norm(x.numpy(force=True), axis=1))
        ctx.save_for_backward(x, norms)
        return norms

    @staticmethod
    def backward(ctx, grad_output):
        x, norms = ctx.saved_tensors
        return (grad_output / norms).unsqueeze(1) * x


row_norms = RowNorms.apply


def promised(x):
    return torch.zeros(row_norms(x.to("meta")).shape)


def tested(x):
    return torch.tensor([True] * 4)
