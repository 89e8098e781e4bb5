import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        counts = (target >= 0) | (target == -100)
        right = logits.gather(1, target.clamp(min=0)[:, None])[:, 0]
        losses = logits.logsumexp(1) - right
        return losses[counts].sum() / counts.sum()

    @staticmethod
    def backward(ctx, grad_output):
        logits, target = ctx.saved_tensors
        counts = target >= 0
        one_hot = F.one_hot(target.clamp(min=0), logits.shape[1])
        grad = torch.softmax(logits, 1) - one_hot
        share = counts.to(logits.dtype) / counts.sum()
        return grad_output * share[:, None] * grad, None
