def one_by_one(x1, x2, depth):
    for _ in range(depth):
        x1, x2 = Reversible.apply(x1, x2, 1)
    return x1, x2


hooks = torch.autograd.graph.saved_tensors_hooks
start = torch.linspace(-1, 1, 100, dtype=torch.double)
ways = (plain, Reversible.apply, one_by_one)
for name, way in zip(("plain", "one Function", "one a block"), ways):
    for depth in (10, 100):
        saved = []
        x1 = start.clone().requires_grad_()
        x2 = (start / 2 + 1).requires_grad_()
        with hooks(lambda t: saved.append(1) or t, lambda t: t):
            y1, y2 = way(x1, x2, depth)
        (grad,) = torch.autograd.grad(y1.sum(), x1)
        print(f"{name:12} depth {depth:3}: {len(saved):3} tensors,", f"norm of the gradient {grad.norm():.3f}")
