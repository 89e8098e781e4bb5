# A decorator makes a Function of a linear map and its adjoint.
import torch


def linear_map(adjoint):
    def decorate(forward_map):
        class Linear(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return forward_map(x)

            @staticmethod
            def backward(ctx, grad):
                return adjoint(grad)

        return Linear.apply

    return decorate


@linear_map(adjoint=lambda g: torch.cat((-g[:1], g[:-1] - g[1:], g[-1:])))
def differences(x):
    return x[1:] - x[:-1]


x = torch.tensor([1.0, 4.0, 2.0, 7.0], requires_grad=True)
differences(x).square().sum().backward()
print(x.grad.tolist())
