# A running log-sum-exp along the last dimension.
import torch


class LogCumSumExp(torch.autograd.Function):
    """y[..., i] = log(sum of exp(x[..., j]) for j <= i).

    The gradient of x[j] collects every later output:
    sum over i >= j of g[i] * exp(x[j] - y[i]).
    """

    @staticmethod
    def forward(ctx, x):
        if x.shape[-1] == 0:
            return x.clone()
        # Subtracting the greatest value keeps exp from overflowing.
        top = x.max(dim=-1, keepdim=True).values
        y = (x - top).exp().cumsum(-1).log() + top
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def reverse_cumsum(values):
        return values.flip(-1).cumsum(-1).flip(-1)

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        # exp(x[j] - y[i]) is split into a factor of j and one of i
        weighted = grad_output * torch.exp(-y)
        if not ctx.needs_input_grad[0]:
            return None
        later = LogCumSumExp.reverse_cumsum(weighted)
        return torch.exp(x) * later


def survival_loss(risk, observed):
    """Cox's partial likelihood: subjects come with falling time."""
    at_risk = LogCumSumExp.apply(risk)
    return ((at_risk - risk) * observed).sum() / observed.sum()


torch.manual_seed(17)
covariates = torch.randn(3, 12, 4, dtype=torch.float64)
beta = torch.zeros(4, dtype=torch.float64, requires_grad=True)
observed = (torch.rand(3, 12) > 0.3).double()
loss = survival_loss(covariates @ beta, observed)
loss.backward()
print(beta.grad.shape)
