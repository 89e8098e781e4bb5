# pitfall: compile-drops-backward
# line: 32
# silent: yes
# seen: the straight-through backward of `Sign` is lost where `torch.func.grad` is compiled, and all gradients become zero.
import torch


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(weight):
        return torch.sign(weight)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        (weight,) = ctx.saved_tensors
        return grad_output * (weight.abs() <= 1)


def loss(weight, x, y):
    return (x @ Sign.apply(weight) - y).pow(2).mean()


torch.manual_seed(86)
x, y = torch.randn(12, 4), torch.randn(12)
weight = torch.rand(4, requires_grad=True)
loss(weight, x, y).backward()

step = torch.compile(torch.func.grad(loss), backend="eager")
compiled = step(weight.detach(), x, y)
print("eager:", bool(weight.grad.abs().sum() > 0), " compiled:", bool(compiled.abs().sum() > 0))
