# fault: missing-term
# line: 37
# order: 1
import torch
from torch.autograd import Function


class SoftQuantise(Function):
    """Replace each row of x by a mean of the codebook's rows, near ones first.

    x: (n, d); codes: (k, d).
    """

    @staticmethod
    def assign(x, codes, temperature):
        distance = (x.unsqueeze(1) - codes.unsqueeze(0)).square().sum(-1)
        return torch.softmax(-distance / temperature, dim=1)

    @staticmethod
    def forward(ctx, x, codes, temperature):
        p = SoftQuantise.assign(x, codes, temperature)
        ctx.save_for_backward(x, codes)
        ctx.temperature = temperature
        return p @ codes

    @staticmethod
    def backward(ctx, grad_output):
        x, codes = ctx.saved_tensors
        tau = ctx.temperature
        p = SoftQuantise.assign(x, codes, tau)

        grad_p = grad_output @ codes.t()
        grad_logits = p * (grad_p - (grad_p * p).sum(1, keepdim=True))

        # logits = -(|x|^2 - 2 x.c + |c|^2) / tau; the rows of grad_logits sum to zero
        grad_x = 2 / tau * (grad_logits @ codes)
        grad_codes = 2 / tau * (grad_logits.t() @ x - grad_logits.sum(0).unsqueeze(1) * codes)
        return grad_x, grad_codes, None


torch.manual_seed(9)
codebook = torch.randn(5, 3, dtype=torch.double, requires_grad=True)
points = torch.randn(10, 3, dtype=torch.double, requires_grad=True)
for temperature in (2.0, 0.5):
    quantised = SoftQuantise.apply(points, codebook, temperature)
    loss = (quantised - points.detach()).square().mean()
    loss.backward()
print(points.grad.shape, codebook.grad.shape)
