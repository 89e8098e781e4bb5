# Gradients for the values of a sparse matrix given by its indices.
import torch


class EdgeMatmul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, rows, cols, values, x):
        ctx.save_for_backward(rows, cols, values, x)
        out = torch.zeros_like(x)
        return out.index_add(0, rows, values[:, None] * x[cols])

    @staticmethod
    def backward(ctx, grad):
        rows, cols, values, x = ctx.saved_tensors
        at_edges = grad[rows]
        grad_values = (at_edges * x[cols]).sum(1)
        grad_x = torch.zeros_like(x).index_add(0, cols, values[:, None] * at_edges)
        return None, None, grad_values, grad_x


torch.manual_seed(27)
rows, cols = torch.tensor([0, 0, 1, 3]), torch.tensor([1, 2, 2, 0])
values = torch.rand(4, requires_grad=True)
x = torch.randn(4, 3, requires_grad=True)
EdgeMatmul.apply(rows, cols, values, x).square().sum().backward()
print(values.grad.shape, x.grad.shape)
