import torch
from torch.nn.functional import one_hot


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(w):
        return ((w + 1) * 3.5).round().clamp(0, 7) / 3.5 - 1

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (w,) = ctx.saved_tensors
        return g.masked_fill(w.abs() > 1, 0)


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        shifted = logits - logits.amax(1, keepdim=True)
        total = shifted.exp().sum(1, keepdim=True)
        hot = one_hot(target, logits.shape[1])
        ctx.save_for_backward((shifted.exp() / total - hot) / len(logits))
        return (total.log() - (shifted * hot).sum(1, keepdim=True)).mean()

    @staticmethod
    def backward(ctx, grad_output):
        (slope,) = ctx.saved_tensors
        return slope * grad_output, None


def loss(w, x, target):
    return CrossEntropy.apply(x @ Quantise.apply(w), target)
