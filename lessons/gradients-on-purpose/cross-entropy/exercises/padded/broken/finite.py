import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        counts = target >= 0
        losses = -torch.softmax(logits, 1).gather(1, target.clamp(min=0)[:, None])[:, 0].log()
        return losses[counts].mean()

    @staticmethod
    def backward(ctx, grad_output):
        logits, target = ctx.saved_tensors
        counts = target >= 0
        one_hot = F.one_hot(target.clamp(min=0), logits.shape[1])
        grad = torch.softmax(logits, 1) - one_hot
        share = counts.to(logits.dtype) / counts.sum()
        return grad_output * share[:, None] * grad, None
