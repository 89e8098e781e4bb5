import torch


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w):
        ctx.save_for_backward(w)
        return ((w.clamp(-1, 1) + 1) * 3.5).round() / 3.5 - 1

    @staticmethod
    def backward(ctx, grad_output):
        (w,) = ctx.saved_tensors
        return torch.where(w.abs() <= 1, grad_output, 0)


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        p = torch.softmax(logits, 1)
        ctx.save_for_backward(p, target)
        return -p[torch.arange(len(p)), target].log().mean()

    @staticmethod
    def backward(ctx, grad_output):
        p, target = ctx.saved_tensors
        one_hot = torch.zeros_like(p)
        one_hot[torch.arange(len(p)), target] = 1
        return grad_output / len(p) * (p - one_hot), None


def loss(w, x, target):
    return CrossEntropy.apply(x @ Quantise.apply(w), target)
