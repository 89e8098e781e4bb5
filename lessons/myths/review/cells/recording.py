import torch


class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        print("forward:", torch.is_grad_enabled())
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):
        print("backward:", torch.is_grad_enabled())
        return grad_output


x = torch.tensor(2.0, requires_grad=True)
plain = torch.autograd.grad(Same.apply(x), x)
recorded = torch.autograd.grad(Same.apply(x), x, create_graph=True)
