# The double backward of a WGAN penalty through a custom activation.
import torch


class Softsign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / (1 + x.abs())

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad / (1 + x.abs()) ** 2


torch.manual_seed(66)
w1, w2 = torch.randn(3, 5, requires_grad=True), torch.randn(5, 1, requires_grad=True)
x = torch.randn(4, 3, requires_grad=True)
score = Softsign.apply(x @ w1) @ w2
(g,) = torch.autograd.grad(score.sum(), x, create_graph=True)
((g.norm(dim=1) - 1) ** 2).mean().backward()
print(w1.grad.shape)
