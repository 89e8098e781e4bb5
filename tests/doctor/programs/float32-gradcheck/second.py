# pitfall: float32-gradcheck
# line: 36
# silent: no
# seen: the parameters given to gradcheck are float32, so the numerical gradient is only noise; call `.double()` on the layer and the input.
import torch
from torch import nn


class BatchDot(torch.autograd.Function):
    @staticmethod
    def forward(ctx, left, right):
        ctx.save_for_backward(left, right)
        return torch.einsum("bi,bi->b", left, right)

    @staticmethod
    def backward(ctx, grad_output):
        left, right = ctx.saved_tensors
        spread = grad_output.unsqueeze(1)
        return spread * right, spread * left


class Matcher(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.left = nn.Parameter(torch.randn(3, width) * 20)

    def forward(self, right):
        return BatchDot.apply(self.left, right)


torch.manual_seed(31)
matcher = Matcher(6)
sentences = torch.randn(3, 6, requires_grad=True)
loss = matcher(sentences).pow(2).sum()
loss.backward()
torch.autograd.gradcheck(matcher, (sentences,), eps=1e-6, atol=1e-4)
print("ok")
