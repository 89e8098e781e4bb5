import torch


class Score(torch.autograd.Function):
    @staticmethod
    def forward(a, m, b):
        return torch.stack([left @ m @ right for left, right in zip(a, b)])

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        a, m, b = ctx.saved_tensors
        grad_a, grad_m, grad_b = [], 0, []
        for g, left, right in zip(grad_output, a, b):
            grad_a.append(g * (m @ right))
            grad_m = grad_m + g * torch.outer(left, right)
            grad_b.append(g * (left @ m))
        return torch.stack(grad_a), grad_m, torch.stack(grad_b)
