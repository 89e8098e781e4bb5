class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        right = logits.gather(1, target[:, None])[:, 0]
        return logits.logsumexp(1) - right

    @staticmethod
    def backward(ctx, grad_output):
        logits, target = ctx.saved_tensors
        p = torch.softmax(logits, 1)
        one_hot = F.one_hot(target, logits.shape[1])
        # in place of three derivatives
        return grad_output[:, None] * (p - one_hot), None
