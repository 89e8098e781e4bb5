# Both real roots of a x^2 + b x + c, by implicit differentiation.
import torch


class Roots(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b, c):
        root = torch.sqrt(b * b - 4 * a * c)
        low, high = (-b - root) / (2 * a), (-b + root) / (2 * a)
        ctx.save_for_backward(a, b, low, high)
        return low, high

    @staticmethod
    def backward(ctx, *grads):
        a, b, *roots = ctx.saved_tensors
        total = [0, 0, 0]
        for g, r in zip(grads, roots):
            share = -g / (2 * a * r + b)
            total[0] = total[0] + share * r**2
            total[1] = total[1] + share * r
            total[2] = total[2] + share
        return tuple(total)


a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([-3.0, 5.0], requires_grad=True)
c = torch.tensor([1.0, -1.0], requires_grad=True)
low, high = Roots.apply(a, b, c)
(high - low).square().sum().backward()
print(a.grad.shape, b.grad.shape, c.grad.shape)
