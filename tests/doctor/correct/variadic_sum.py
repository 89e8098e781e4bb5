# Any number of tensors.
import torch


class WeightedSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, weights, *tensors):
        ctx.weights = weights
        return sum(w * t for w, t in zip(weights, tensors))

    @staticmethod
    def backward(ctx, grad):
        return None, *(w * grad for w in ctx.weights)


tensors = [torch.full((2,), float(i), requires_grad=True) for i in range(3)]
WeightedSum.apply([0.5, 1.0, 2.0], *tensors).square().sum().backward()
print([t.grad.tolist() for t in tensors])
