import torch


def check(predict):
    x = torch.ones(2, 3, dtype=torch.double)
    base = torch.full((3, 2), 0.2, dtype=torch.double, requires_grad=True)
    head = torch.tensor([1.0, -2.0], dtype=torch.double, requires_grad=True)
    out = predict(x, base, head).sum()
    of_base, of_head = torch.autograd.grad(out, (base, head), allow_unused=True)
    if of_base is not None:
        return False
    with torch.no_grad():
        change = predict(x, base, head + 0.1).sum() - out
    return bool(torch.isclose(change, 0.1 * of_head.sum()))
