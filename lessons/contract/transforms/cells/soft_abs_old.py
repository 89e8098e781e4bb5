class SoftAbsOld(torch.autograd.Function):
    @staticmethod
    def forward(ctx, r):
        ctx.save_for_backward(r)
        return (1 + r**2).sqrt()

    @staticmethod
    def backward(ctx, grad_output):
        (r,) = ctx.saved_tensors
        return grad_output * r / (1 + r**2).sqrt()
