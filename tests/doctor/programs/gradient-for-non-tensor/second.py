# pitfall: gradient-for-non-tensor
# line: 23
# silent: no
# seen: `stride` is an int and cannot have a gradient; the third value returned by backward must be `None`.
import torch


class AveragePool(torch.autograd.Function):
    @staticmethod
    def forward(ctx, rows, window, stride):
        ctx.length = rows.shape[1]
        ctx.window = window
        ctx.stride = stride
        return rows.unfold(1, window, stride).mean(dim=2)

    @staticmethod
    def backward(ctx, grad_pooled):
        grad_rows = grad_pooled.new_zeros(grad_pooled.shape[0], ctx.length)
        for i in range(grad_pooled.shape[1]):
            start = i * ctx.stride
            grad_rows[:, start : start + ctx.window] += grad_pooled[:, i : i + 1] / ctx.window
        grad_stride = torch.zeros(())
        return grad_rows, None, grad_stride


torch.manual_seed(5)
heartbeats = torch.randn(3, 40, requires_grad=True)
smooth = AveragePool.apply(heartbeats, 8, 4)
target = torch.zeros_like(smooth)
loss = torch.nn.functional.mse_loss(smooth, target)
loss.backward()
print("gradient per beat:", tuple(heartbeats.grad.shape))
