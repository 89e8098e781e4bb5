import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return F.cross_entropy(logits, target.clamp(min=-1), ignore_index=-1)

    @staticmethod
    def backward(ctx, grad_output):
        logits, target = ctx.saved_tensors
        counts = target >= 0
        one_hot = F.one_hot(target.clamp(min=0), logits.shape[1])
        grad = torch.softmax(logits, 1) - one_hot
        share = counts.to(logits.dtype) / counts.sum()
        return grad_output * share[:, None] * grad, None
