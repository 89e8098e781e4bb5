import torch

calls = []


def block(x, w):
    calls.append(1)
    for _ in range(4):
        x = torch.tanh(x @ w)
    return x


class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(x, w):
        return block(x, w)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        copies = []
        for tensor, needed in zip(ctx.saved_tensors, ctx.needs_input_grad):
            copies.append(tensor.detach().requires_grad_(needed))
        with torch.enable_grad():
            block(*copies).backward(grad_output)
        return copies[0].grad, copies[1].grad


def count(x, w):
    calls.clear()
    out = Recompute.apply(x, w)
    before = len(calls)
    torch.autograd.grad(out.sum(), (x, w))
    return torch.tensor([before, len(calls)])
