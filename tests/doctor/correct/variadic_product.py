# The gradient of each factor is the product of the others.
import torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *factors):
        ctx.save_for_backward(*factors)
        return torch.stack(factors).prod(0)

    @staticmethod
    def backward(ctx, grad):
        factors = ctx.saved_tensors
        grads = []
        for i in range(len(factors)):
            others = grad
            for j, factor in enumerate(factors):
                if j != i:
                    others = others * factor
            grads.append(others)
        return tuple(grads)


factors = [torch.tensor([1.0, 2.0], requires_grad=True) for _ in range(3)]
Product.apply(*factors).sum().backward()
print(factors[0].grad.tolist())
