# pitfall: not-a-scalar
# line: 32
# silent: no
# seen: the result is a vector, for which backward needs a `gradient` of the same shape; reduce it to a scalar first.
import torch


class Softmin(torch.autograd.Function):
    @staticmethod
    def forward(ctx, costs, beta):
        ctx.save_for_backward(costs)
        ctx.beta = beta
        return (torch.softmax(-beta * costs, dim=-1) * costs).sum(dim=-1)

    @staticmethod
    def backward(ctx, grad_output):
        (costs,) = ctx.saved_tensors
        shares = torch.softmax(-ctx.beta * costs, dim=-1)
        mean = (shares * costs).sum(dim=-1, keepdim=True)
        slope = shares * (1 - ctx.beta * (costs - mean))
        return grad_output.unsqueeze(-1) * slope, None


def route_costs(speeds, lengths):
    return lengths / speeds.exp()


torch.manual_seed(77)
lengths = torch.rand(4, 3) * 10 + 1
speeds = torch.zeros(4, 3, requires_grad=True)
best = Softmin.apply(route_costs(speeds, lengths), 2.0)
best.backward()
print(speeds.grad)
