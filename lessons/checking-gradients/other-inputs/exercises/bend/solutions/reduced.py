from torch.autograd import Function


class Bend(Function):
    @staticmethod
    def forward(ctx, x, a):
        out = (a * x).tanh()
        ctx.save_for_backward(x, a, out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        x, a, out = ctx.saved_tensors
        inner = grad_output - grad_output * out * out
        return a * inner, (x.reshape(-1) * inner.reshape(-1)).sum(0)
