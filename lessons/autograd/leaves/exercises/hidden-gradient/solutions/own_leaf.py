import torch


def score_of(h, v):
    return (h**2 @ v).sum()


def hidden_gradient(x, w, v):
    h = torch.tensor(torch.tanh(x @ w).tolist(), dtype=w.dtype, requires_grad=True)
    score_of(h, v).backward()
    return h.grad
