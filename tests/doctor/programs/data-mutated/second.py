# pitfall: data-mutated
# line: 25
# silent: yes
# seen: the clamp through `.data` changes what `Exponential` saved and autograd cannot see it; clamp before the call, without `.data`.
import torch


class Exponential(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        return grad_y * y


def softmax_rows(scores):
    raised = Exponential.apply(scores)
    total = raised.sum(dim=1, keepdim=True)
    shares = raised / total
    raised.data.clamp_(max=1.0)
    return shares


torch.manual_seed(16)
scores = torch.randn(4, 6, requires_grad=True)
labels = torch.tensor([0, 3, 5, 1])
shares = softmax_rows(scores)
nll = -shares[torch.arange(4), labels].log().mean()
nll.backward()
print("rows sum to zero:", torch.allclose(scores.grad.sum(dim=1), torch.zeros(4), atol=1e-6))
