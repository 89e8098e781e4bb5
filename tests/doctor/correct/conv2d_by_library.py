# torch.nn.grad computes a convolution's gradients.
import torch
import torch.nn.functional as F


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, stride):
        ctx.save_for_backward(x, w)
        ctx.stride = stride
        return F.conv2d(x, w, stride=stride)

    @staticmethod
    def backward(ctx, grad):
        x, w = ctx.saved_tensors
        gx = torch.nn.grad.conv2d_input(x.shape, w, grad, stride=ctx.stride)
        gw = torch.nn.grad.conv2d_weight(x, w.shape, grad, stride=ctx.stride)
        return gx, gw, None


torch.manual_seed(65)
x, w = torch.randn(1, 2, 5, 5, requires_grad=True), torch.randn(2, 2, 3, 3, requires_grad=True)
Conv2d.apply(x, w, 2).relu().sum().backward()
print(x.grad.shape, w.grad.shape)
