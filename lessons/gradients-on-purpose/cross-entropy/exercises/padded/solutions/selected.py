import torch


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        rows = torch.nonzero(target >= 0)[:, 0]
        log_p = torch.log_softmax(logits[rows], 1)
        ctx.size = len(target)
        ctx.save_for_backward(log_p.exp(), target, rows)
        return -log_p[torch.arange(len(rows)), target[rows]].sum() / len(rows)

    @staticmethod
    def backward(ctx, grad_output):
        p, target, rows = ctx.saved_tensors
        classes = torch.arange(p.shape[1])
        hot = (classes == target[rows][:, None]).to(p.dtype)
        part = (p - hot) * grad_output / len(rows)
        return p.new_zeros(ctx.size, p.shape[1]).index_add(0, rows, part), None
