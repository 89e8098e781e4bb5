import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x @ w.T + b

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g @ w, g.T @ x, g.sum(0)


sizes = {"x": (3, 4), "w": (5, 4), "b": (5,)}
args = [torch.ones(s) for s in sizes.values()]
for tensor in args:
    tensor.requires_grad_()
total = Linear.apply(*args).sum()
grads = torch.autograd.grad(total, args)
for name, grad in zip(sizes, grads):
    print(name, tuple(grad.shape))
