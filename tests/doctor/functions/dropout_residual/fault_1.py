# fault: mean-for-sum
# line: 36
# order: 1
import torch
from torch.autograd import Function


class BiasDropoutAdd(Function):
    """residual + dropout(x + bias, p).

    The mask is drawn by the caller's generator, so that a run can be repeated.
    """

    @staticmethod
    def forward(ctx, x, bias, residual, p, training, generator=None):
        if not 0 <= p < 1:
            raise ValueError(f"a probability below 1 is needed, not {p}")
        ctx.p = p if training else 0.0
        if ctx.p == 0.0:
            ctx.keep = None
            return residual + x + bias
        keep = torch.rand(x.shape, generator=generator) >= ctx.p
        ctx.keep = keep
        return residual + (x + bias) * keep / (1 - ctx.p)

    @staticmethod
    def backward(ctx, grad_output):
        grad_x = grad_bias = grad_residual = None
        if ctx.keep is None:
            masked = grad_output
        else:
            masked = grad_output * ctx.keep / (1 - ctx.p)
        if ctx.needs_input_grad[0]:
            grad_x = masked
        if ctx.needs_input_grad[1]:
            grad_bias = masked.flatten(0, -2).mean(0)
        if ctx.needs_input_grad[2]:
            grad_residual = grad_output
        return grad_x, grad_bias, grad_residual, None, None, None


torch.manual_seed(30)
generator = torch.Generator().manual_seed(30)
hidden = torch.randn(3, 5, 6, requires_grad=True)
projection = torch.nn.Linear(6, 6, bias=False)
bias = torch.zeros(6, requires_grad=True)
out = BiasDropoutAdd.apply(projection(hidden), bias, hidden, 0.25, True, generator)
out = torch.nn.functional.layer_norm(out, (6,))
loss = (out[:, 1:] - hidden.detach()[:, :-1]).square().mean()
loss.backward()
print(hidden.grad.shape, bias.grad.shape)
