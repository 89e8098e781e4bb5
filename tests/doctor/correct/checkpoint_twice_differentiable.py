# Recomputation with create_graph, so that second derivatives work.
import torch


class Recompute(torch.autograd.Function):
    @staticmethod
    def run(x, w):
        return torch.sin(x @ w)

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return Recompute.run(x, w)

    @staticmethod
    def backward(ctx, grad):
        x, w = ctx.saved_tensors
        twice = torch.is_grad_enabled()
        with torch.enable_grad():
            x, w = x.view_as(x), w.view_as(w)
            if not x.requires_grad:
                x.requires_grad_()
            if not w.requires_grad:
                w.requires_grad_()
            out = Recompute.run(x, w)
            return torch.autograd.grad(out, (x, w), grad, create_graph=twice)


torch.manual_seed(31)
x = torch.randn(3, 2, dtype=torch.double, requires_grad=True)
w = torch.randn(2, 2, dtype=torch.double, requires_grad=True)
(g,) = torch.autograd.grad(Recompute.apply(x, w).sum(), x, create_graph=True)
g.square().sum().backward()
print(w.grad.shape)
