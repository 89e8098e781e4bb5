torch.manual_seed(0)
u, a, b = (torch.randn(*shape, dtype=torch.double, requires_grad=True) for shape in ((3, 4), (4, 6), (6, 2)))
x = torch.randn(5, 3, dtype=torch.double)
loss = ((torch.tanh(torch.tanh(x @ u) @ a) @ b) ** 2).sum()
true = torch.autograd.grad(loss, (u, a, b))
print(f"whole: loss {loss:.4f}")


def shares(u, a, b):
    return (u, u), a.chunk(2, dim=1), b.chunk(2, dim=0)


def split(copy, add):
    own = [[t.detach().clone().requires_grad_() for t in pair] for pair in shares(u, a, b)]
    us, a_s, b_s = own
    hs = copy(torch.tanh(x @ us[0]), torch.tanh(x @ us[1]))
    parts = [torch.tanh(hs[r] @ a_s[r]) @ b_s[r] for r in range(2)]
    losses = [(y**2).sum() for y in add(*parts)]
    torch.autograd.backward(losses)
    for r in range(2):
        ratios = [(t[r].grad / goal[r])[0, 0] for t, goal in zip(own, shares(*true))]
        text = ", ".join(f"{n} {q:.2f}" for n, q in zip("uab", ratios))
        loss = losses[r].item()
        print(f"rank {r}: loss {loss:.4f}, gradient / true: {text}")
