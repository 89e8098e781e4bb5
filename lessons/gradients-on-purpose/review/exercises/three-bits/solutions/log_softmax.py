import torch


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w):
        ctx.save_for_backward((w >= -1) & (w <= 1))
        return ((w.clamp(-1, 1) + 1) * 3.5).round() / 3.5 - 1

    @staticmethod
    def backward(ctx, grad_output):
        (inside,) = ctx.saved_tensors
        return grad_output * inside


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        logs = torch.log_softmax(logits, dim=1)
        ctx.save_for_backward(logs, target)
        return -logs.gather(1, target[:, None]).mean()

    @staticmethod
    def backward(ctx, grad_output):
        logs, target = ctx.saved_tensors
        grad = logs.exp()
        grad.scatter_add_(1, target[:, None], -torch.ones_like(grad))
        return grad_output * grad / logs.shape[0], None


def loss(w, x, target):
    return CrossEntropy.apply(x @ Quantise.apply(w), target)
