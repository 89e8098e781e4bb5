from torch.linalg import det, inv, solve


def vjp_inverse(g, a):
    return -inv(a) @ g @ inv(a)


def vjp_det(g, a):
    return g * det(a) * inv(a)


def vjp_solve(g, a, b):
    grad_b = solve(a, g)
    return -grad_b @ solve(a, b).T, grad_b
