import torch


class CubeGuarded(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.as_tensor(x.numpy() ** 3)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        if torch.is_grad_enabled():  # a graph is wanted
            raise NotImplementedError("CubeGuarded: first order only")
        (x,) = ctx.saved_tensors
        slope = 3 * x.numpy() ** 2
        return torch.as_tensor(slope * grad_output.numpy())
