x = torch.tensor(2.0, dtype=torch.double, requires_grad=True)
smooth = x**2


def attempt(label, compute):
    try:
        print(label, compute())
    except NotImplementedError as error:
        print(label, error)


loss = smooth + CubeGuarded.apply(x)
attempt("grad:       ", lambda: torch.autograd.grad(loss, x, create_graph=True))
attempt("func.grad:  ", lambda: torch.func.grad(CubeGuarded.apply)(x))
attempt("jacrev:     ", lambda: torch.func.jacrev(CubeGuarded.apply)(x))
jacobian = torch.autograd.functional.jacobian
attempt("functional: ", lambda: jacobian(CubeGuarded.apply, x))
