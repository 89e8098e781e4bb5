from torch import func
from torch.autograd import grad
from torch.autograd.functional import jacobian

x = torch.tensor(2.0, dtype=torch.double, requires_grad=True)
smooth = x**2


def attempt(label, compute):
    try:
        print(label, compute())
    except NotImplementedError as error:
        print(label, error)


loss = smooth + CubeGuarded.apply(x)
attempt("grad:       ", lambda: grad(loss, x, create_graph=True))
attempt("func.grad:  ", lambda: func.grad(CubeGuarded.apply)(x))
attempt("jacrev:     ", lambda: func.jacrev(CubeGuarded.apply)(x))
attempt("functional: ", lambda: jacobian(CubeGuarded.apply, x))
