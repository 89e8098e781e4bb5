import torch
from torch.autograd.function import once_differentiable


class CubeOnce(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(x.numpy() ** 3)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        slope = 3 * x.numpy() ** 2
        return torch.from_numpy(slope * grad_output.numpy())


x = torch.tensor([2.0], dtype=torch.double, requires_grad=True)
out = CubeOnce.apply(x) ** 2
(grad_x,) = torch.autograd.grad(out, x, create_graph=True)
print(grad_x.item())
grad_x.backward()
