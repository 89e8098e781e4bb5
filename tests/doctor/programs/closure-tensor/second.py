# pitfall: closure-tensor
# line: 23
# silent: yes
# seen: `self.scale` reaches forward through the enclosing method instead of `apply`, so the parameter never gets a gradient; make it an argument.
import torch
from torch import nn


class ScaledCosine(nn.Module):
    """Similarity with a learnt scale."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(5.0))

    def forward(self, left, right):
        scale = self.scale

        class Dot(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a, b):
                ctx.save_for_backward(a, b)
                return scale * (a * b).sum(dim=1)

            @staticmethod
            def backward(ctx, grad_output):
                a, b = ctx.saved_tensors
                grad = (scale * grad_output).unsqueeze(1)
                return grad * b, grad * a

        return Dot.apply(left / left.norm(dim=1, keepdim=True), right / right.norm(dim=1, keepdim=True))


torch.manual_seed(48)
model = ScaledCosine()
query = torch.randn(6, 3, requires_grad=True)
match = torch.randn(6, 3)
loss = -torch.sigmoid(model(query, match)).log().mean()
loss.backward()
print("query:", query.grad is not None, " scale:", model.scale.grad is not None)
