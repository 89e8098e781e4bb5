# pitfall: undefined-gradient
# line: 27
# silent: no
# seen: `grad_log_det` is None when the loss does not use the second output, since gradients are not materialised; treat None as zero.
import torch
from torch import nn


class AffineFlow(torch.autograd.Function):
    @staticmethod
    def forward(x, log_scale, shift):
        z = x * torch.exp(log_scale) + shift
        log_det = log_scale.sum() * torch.ones(x.shape[0], dtype=x.dtype)
        return z, log_det

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, log_scale, _ = inputs
        ctx.save_for_backward(x, log_scale)
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx, grad_z, grad_log_det):
        x, log_scale = ctx.saved_tensors
        scale = torch.exp(log_scale)
        grad_log_scale = (grad_z * x * scale).sum(dim=0)
        grad_log_scale = grad_log_scale + grad_log_det.sum()
        return grad_z * scale, grad_log_scale, grad_z.sum(dim=0)


torch.manual_seed(63)
log_scale = nn.Parameter(torch.zeros(2))
shift = nn.Parameter(torch.zeros(2))
points = torch.randn(40, 2) * 3 + 1
z, log_det = AffineFlow.apply(points, log_scale, shift)
loss = 0.5 * z.pow(2).sum(dim=1).mean()
loss.backward()
print(log_scale.grad)
