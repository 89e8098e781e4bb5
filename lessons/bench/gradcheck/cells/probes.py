x = torch.tensor([0.5], dtype=torch.double, requires_grad=True)
for function in [Clips, Rounds, Remembers]:
    f = function.apply
    out = f(x)
    f(0 * x)  # a call in between
    print(function.__name__)
    for g in [1.0, 100.0, 1e-6]:
        incoming = torch.full_like(out, g)
        (grad_x,) = torch.autograd.grad(out, x, incoming, True)
        ratio = (grad_x / (g * x.exp())).item()
        print(f"  g = {g:g}: {ratio:.2f} of the true gradient")
