# The caller uses one output only; zeros arrive for the other.
import torch


class SumAndProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a + b, a * b

    @staticmethod
    def backward(ctx, grad_sum, grad_product):
        a, b = ctx.saved_tensors
        return grad_sum + grad_product * b, grad_sum + grad_product * a


a = torch.ones(3, requires_grad=True)
b = torch.full((3,), 2.0, requires_grad=True)
total, _ = SumAndProduct.apply(a, b)
total.pow(2).sum().backward()
_, product = SumAndProduct.apply(a, b)
product.sum().backward()
print(a.grad.tolist())
