# Two outputs, each of which is the other's derivative.
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(angle):
        return angle.sin(), angle.cos()

    @staticmethod
    def setup_context(ctx, inputs, output):
        sin, cos = output
        ctx.save_for_backward(sin, cos)

    @staticmethod
    def backward(ctx, grad_sin, grad_cos):
        sin, cos = ctx.saved_tensors
        return grad_sin * cos - grad_cos * sin


angle = torch.tensor([0.3, 1.2, -2.0], requires_grad=True)
s, c = SinCos.apply(angle)
point = torch.stack((2 * c, s), 1)
point.pow(2).sum(1).sqrt().sum().backward()
print(angle.grad.shape)
