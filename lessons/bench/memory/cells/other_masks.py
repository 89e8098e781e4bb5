from torch.utils.checkpoint import checkpoint


def slope(**options):
    torch.manual_seed(0)
    x = torch.zeros(1000, dtype=torch.double, requires_grad=True)
    if options:
        out = checkpoint(run_noise, x, 0, 8, **options)
    else:
        out = run_noise(x, 0, 8)
    return torch.autograd.grad(out.sum(), x)[0]


right = slope()
for keep in [True, False]:
    grad_x = slope(use_reentrant=False, preserve_rng_state=keep)
    print(f"preserve_rng_state={keep}:", torch.allclose(grad_x, right))
