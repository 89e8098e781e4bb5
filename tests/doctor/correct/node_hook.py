# A hook on the node counts calls.
import torch

calls = []


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 3 * grad * x**2


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Cube.apply(x)
y.grad_fn.register_hook(lambda grads_in, grads_out: calls.append(len(grads_in)))
y.sum().backward()
print(calls)
