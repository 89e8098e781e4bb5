import torch


def slopes(x):
    x = x.detach().requires_grad_()
    h = x.exp()
    both = torch.stack([h.sum(), (h * h).sum()])
    (rows,) = torch.autograd.grad(both, x, torch.eye(2, dtype=x.dtype), is_grads_batched=True)
    return rows[0], rows[1]
