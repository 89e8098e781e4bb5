import torch


class Checkpoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, x):
        ctx.run = run
        ctx.save_for_backward(x)
        return run(x)

    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.saved_tensors[0].detach().requires_grad_()
        with torch.enable_grad():
            out = ctx.run(x)  # the second run
        (grad_x,) = torch.autograd.grad(out, x, grad_output)
        return None, grad_x


def drop(x):
    return torch.nn.functional.dropout(x, 0.5)
