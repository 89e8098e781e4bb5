# torch.func.value_and_grad through a Function with two tensor arguments.
import torch


class Hypotenuse(torch.autograd.Function):
    @staticmethod
    def forward(a, b):
        return torch.sqrt(a * a + b * b)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, output)

    @staticmethod
    def backward(ctx, grad):
        a, b, c = ctx.saved_tensors
        return grad * a / c, grad * b / c


torch.manual_seed(4)
a, b = torch.rand(2, 4) + 0.5
(ga, gb), value = torch.func.grad_and_value(lambda a, b: Hypotenuse.apply(a, b).sum(), argnums=(0, 1))(a, b)
a.requires_grad_()
Hypotenuse.apply(a, b).sum().backward()
print(torch.equal(a.grad, ga))
