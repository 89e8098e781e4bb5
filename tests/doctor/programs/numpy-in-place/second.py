# pitfall: numpy-in-place
# line: 14
# silent: yes
# seen: `np.clip(..., out=array)` writes into the input's own memory while its version stays the same; write into a copy.
import numpy as np
import torch


class ClippedExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, low, high):
        array = logits.detach().numpy()
        inside = torch.from_numpy((array > low) & (array < high))
        np.clip(array, low, high, out=array)
        odds = torch.from_numpy(np.exp(array))
        ctx.save_for_backward(odds, inside)
        return odds

    @staticmethod
    def backward(ctx, grad_output):
        odds, inside = ctx.saved_tensors
        return grad_output * odds * inside, None, None


torch.manual_seed(25)
hidden = torch.randn(5, 3, dtype=torch.float64, requires_grad=True)
logits = 3 * hidden
odds = ClippedExp.apply(logits, -1.0, 1.0)
loss = odds.log().sum() + logits.pow(2).sum()
loss.backward()
print("hidden:", tuple(hidden.grad.shape))
