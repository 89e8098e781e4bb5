# pitfall: grad-accumulated
# line: 32
# silent: yes
# seen: the second `.backward()` adds to the `.grad` of the first, so the two losses' gradients cannot be compared; set `.grad` to None between them.
import torch


class LogRatio(torch.autograd.Function):
    @staticmethod
    def forward(ctx, p, q):
        ctx.save_for_backward(p, q)
        return torch.log(p) - torch.log(q)

    @staticmethod
    def backward(ctx, grad_output):
        p, q = ctx.saved_tensors
        return grad_output / p, -grad_output / q


def divergence(p, q):
    return (p * LogRatio.apply(p, q)).sum()


torch.manual_seed(88)
p = torch.rand(5, dtype=torch.float64) + 0.1
p = p / p.sum()
q = torch.full((5,), 0.2, dtype=torch.float64, requires_grad=True)

divergence(p, q).backward()
forward_gradient = q.grad
reverse = divergence(q, p)
reverse.backward()
reverse_gradient = q.grad
print("both directions have the same gradient:", torch.equal(forward_gradient, reverse_gradient))
