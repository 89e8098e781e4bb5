import torch


class ToCartesian(torch.autograd.Function):
    @staticmethod
    def forward(ctx, r, angle, unit):
        ctx.unit = unit
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(r, angle)
        return r * torch.cos(unit * angle), r * torch.sin(unit * angle)

    @staticmethod
    def backward(ctx, grad_x, grad_y):
        r, angle = ctx.saved_tensors
        turned = ctx.unit * angle
        cos, sin = torch.cos(turned), torch.sin(turned)
        grad_r = grad_x * cos + grad_y * sin
        grad_angle = ctx.unit * r * (grad_y * cos - grad_x * sin)
        return grad_r, grad_angle, None
