# A non-tensor argument is put on ctx in setup_context.
import torch


class ScaledTanh(torch.autograd.Function):
    @staticmethod
    def forward(x, steepness):
        return torch.tanh(steepness * x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.steepness = inputs
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * ctx.steepness * (1 - y * y), None


torch.manual_seed(1)
x = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
y = ScaledTanh.apply(x, 0.5)
(y**2).mean().backward()
(g,) = torch.autograd.grad((ScaledTanh.apply(x, 2.0) ** 2).sum(), x, create_graph=True)
(g**2).sum().backward()
print(x.grad.shape)
