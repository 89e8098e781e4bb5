# generate_vmap_rule lets torch.func batch the Function.
import torch


class Cube(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x**3

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * grad_output


x = torch.arange(6.0).reshape(2, 3).requires_grad_()
y = torch.func.vmap(Cube.apply)(x)
y.sum().backward()
per_sample = torch.func.vmap(torch.func.grad(lambda row: Cube.apply(row).sum()))(x.detach())
print(torch.equal(x.grad, per_sample))
