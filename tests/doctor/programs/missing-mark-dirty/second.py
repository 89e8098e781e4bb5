# pitfall: missing-mark-dirty
# line: 11
# silent: yes
# seen: `prices -= ...` changes an input of forward in place and nothing marks it dirty; subtract into a new tensor.
import torch


class Variance(torch.autograd.Function):
    @staticmethod
    def forward(ctx, prices):
        prices -= prices.mean(dim=0)
        ctx.save_for_backward(prices)
        return prices.pow(2).mean(dim=0)

    @staticmethod
    def backward(ctx, grad_variance):
        (centred,) = ctx.saved_tensors
        return grad_variance * 2 * centred / centred.shape[0]


def risk_adjusted(weights, returns):
    portfolio = returns * weights
    variance = Variance.apply(portfolio)
    return portfolio[-1].sum() - 0.5 * variance.sum()


torch.manual_seed(23)
returns = torch.randn(30, 4) * 0.1 + 0.02
weights = torch.full((4,), 0.25, requires_grad=True)
score = risk_adjusted(weights, returns)
score.backward()
print("gradient of the weights:", tuple(weights.grad.shape))
