# pitfall: forward-called-directly
# line: 33
# silent: no
# seen: `forward` is called without its `ctx`; call `HuberLoss.apply(prediction, target, 1.0)`.
import torch


class HuberLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, prediction, target, delta):
        error = prediction - target
        ctx.save_for_backward(prediction, target)
        ctx.delta = delta
        small = error.abs() <= delta
        return torch.where(small, 0.5 * error**2, delta * (error.abs() - 0.5 * delta)).mean()

    @staticmethod
    def backward(ctx, grad_output):
        prediction, target = ctx.saved_tensors
        error = prediction - target
        slope = error.clamp(-ctx.delta, ctx.delta) / error.numel()
        return grad_output * slope, -grad_output * slope, None


torch.manual_seed(11)
hours = torch.rand(20, 1) * 10
marks = 4 * hours + 20 + torch.randn(20, 1)
slope = torch.zeros(1, 1, requires_grad=True)
offset = torch.zeros(1, requires_grad=True)

for step in range(5):
    prediction = hours @ slope + offset
    loss = HuberLoss.forward(prediction, marks, 1.0)
    loss.backward()
    with torch.no_grad():
        slope -= 0.01 * slope.grad
        offset -= 0.01 * offset.grad
    slope.grad = offset.grad = None
