# fault: missing-term
# line: 37
# order: 1
import torch


class LayerNormFunction(torch.autograd.Function):
    """y = (x - mean) / std * gamma + beta over the last dimension."""

    @staticmethod
    def forward(ctx, x, gamma, beta, eps=1e-5):
        mean = x.mean(-1, keepdim=True)
        centred = x - mean
        var = (centred * centred).mean(-1, keepdim=True)
        inv_std = (var + eps).rsqrt()
        normed = centred * inv_std
        ctx.save_for_backward(x, gamma)
        ctx.eps = eps
        return normed * gamma + beta

    @staticmethod
    def backward(ctx, dy):
        x, gamma = ctx.saved_tensors
        centred = x - x.mean(-1, keepdim=True)
        inv_std = ((centred * centred).mean(-1, keepdim=True) + ctx.eps).rsqrt()
        normed = centred * inv_std

        # parameters: sum over everything but the last dimension
        lead = list(range(dy.dim() - 1))
        d_gamma = (dy * normed).sum(lead)
        d_beta = dy.sum(lead)

        # input: take out the mean and what lies along the normed vector
        d_normed = dy * gamma
        d_mean = d_normed.mean(-1, keepdim=True)
        d_along = (d_normed * normed).mean(-1, keepdim=True)
        dx = inv_std * (d_normed - d_mean)
        return dx, d_gamma, d_beta, None


torch.manual_seed(3)
dtype = torch.float64
x = torch.randn(6, 10, dtype=dtype, requires_grad=True)
gamma = torch.linspace(0.5, 1.5, 10, dtype=dtype).requires_grad_()
beta = torch.zeros(10, dtype=dtype, requires_grad=True)
target = torch.randn(6, 10, dtype=dtype)
y = LayerNormFunction.apply(x, gamma, beta)
loss = (y - target).abs().sum()
loss.backward()
print(x.grad.shape, gamma.grad.shape, beta.grad.shape)
