# trace(A^-1), twice differentiable.
import torch


class TraceInverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return torch.linalg.inv(a).trace()

    @staticmethod
    def backward(ctx, grad):
        inv = torch.linalg.inv(ctx.saved_tensors[0])
        return -grad * (inv @ inv).t()


torch.manual_seed(59)
a = (torch.randn(3, 3, dtype=torch.float64) + 3 * torch.eye(3)).requires_grad_()
TraceInverse.apply(a).backward()
print(a.grad.shape)
