import torch


class Round(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.round(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, g):
        return g


x = torch.tensor(2.6, requires_grad=True)
(4 * Round.forward(x)).backward()
print("x.grad:", x.grad.item())
