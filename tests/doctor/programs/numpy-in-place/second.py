# pitfall: numpy-in-place
# line: 15
# silent: yes
# seen: `np.clip(..., out=array)` writes into the input's own memory while its version stays the same; write into a copy.
import numpy as np
import torch


class SortedSlope(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, low, high):
        array = logits.detach().numpy()
        inside = torch.from_numpy((array > low) & (array < high))
        ctx.save_for_backward(inside)
        np.clip(array, low, high, out=array)
        return torch.from_numpy(np.exp(array))

    @staticmethod
    def backward(ctx, grad_output):
        (inside,) = ctx.saved_tensors
        clipped = ctx_exp(inside, grad_output)
        return clipped, None, None


def ctx_exp(inside, grad_output):
    return torch.where(inside, grad_output, torch.zeros_like(grad_output))


torch.manual_seed(25)
hidden = torch.randn(5, 3, dtype=torch.float64, requires_grad=True)
logits = 3 * hidden
odds = SortedSlope.apply(logits, -1.0, 1.0)
loss = odds.log().sum() + logits.pow(2).sum()
loss.backward()
print("hidden:", tuple(hidden.grad.shape))
