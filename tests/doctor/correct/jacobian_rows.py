# Called in torch.autograd.functional.jacobian.
import torch


class Rotate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v, angle):
        ctx.save_for_backward(v, angle)
        c, s = angle.cos(), angle.sin()
        return torch.stack((c * v[0] - s * v[1], s * v[0] + c * v[1]))

    @staticmethod
    def backward(ctx, g):
        v, angle = ctx.saved_tensors
        c, s = angle.cos(), angle.sin()
        to_v = torch.stack((c * g[0] + s * g[1], c * g[1] - s * g[0]))
        to_angle = g[0] * (-s * v[0] - c * v[1]) + g[1] * (c * v[0] - s * v[1])
        return to_v, to_angle


v = torch.tensor([1.0, 2.0], requires_grad=True)
angle = torch.tensor(0.4, requires_grad=True)
Rotate.apply(v, angle)[0].backward()
jacobian = torch.autograd.functional.jacobian(lambda v: Rotate.apply(v, angle.detach()), v.detach())
print(jacobian.shape)
