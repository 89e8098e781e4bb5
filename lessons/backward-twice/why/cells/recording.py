import torch


class Triple(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        print("forward: grad mode is", torch.is_grad_enabled())
        return 3 * x

    @staticmethod
    def backward(ctx, grad_output):
        print("backward: grad mode is", torch.is_grad_enabled())
        return 3 * grad_output


x = torch.tensor(2.0, dtype=torch.double, requires_grad=True)

for create_graph in (False, True):
    out = Triple.apply(x)
    torch.autograd.grad(out, x, create_graph=create_graph)
