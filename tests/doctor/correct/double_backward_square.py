# The second derivative has a Function of its own.
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        return SquareBackward.apply(grad, *ctx.saved_tensors)


class SquareBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, grad, x):
        ctx.save_for_backward(grad, x)
        return 2 * x * grad

    @staticmethod
    def backward(ctx, grad_of_grad):
        grad, x = ctx.saved_tensors
        return 2 * x * grad_of_grad, 2 * grad * grad_of_grad


x = torch.tensor([1.0, 3.0], requires_grad=True)
(g,) = torch.autograd.grad(Square.apply(x).sum(), x, create_graph=True)
(g * x).sum().backward()
print(x.grad.tolist())
