# The sum and how many numbers it has, as a tensor.
import torch


class SumPositive(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        positive = x > 0
        ctx.save_for_backward(positive)
        count = positive.sum()
        ctx.mark_non_differentiable(count)
        return x[positive].sum(), count

    @staticmethod
    def backward(ctx, grad, _grad_count):
        return grad * ctx.saved_tensors[0]


x = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
total, count = SumPositive.apply(x)
(total / count).backward()
print(x.grad.tolist())
