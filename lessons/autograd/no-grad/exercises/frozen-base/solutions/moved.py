import torch


def check(predict):
    x = torch.ones(2, 3, dtype=torch.double)
    base = torch.tensor([[0.2, -0.1], [0.3, 0.1], [0.1, 0.2]], dtype=torch.double, requires_grad=True)
    head = torch.tensor([1.0, -2.0], dtype=torch.double, requires_grad=True)
    out = predict(x, base, head).sum()
    of_base, of_head = torch.autograd.grad(out, (base, head), allow_unused=True)
    if of_base is not None:
        return False
    with torch.no_grad():
        changes = [predict(x, base, head + move).sum() - out for move in 0.1 * torch.eye(2)]
    return torch.allclose(torch.stack(changes), 0.1 * of_head)
