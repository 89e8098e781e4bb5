def vjp_sum(g, x):
    return g.expand_as(x)


def vjp_mean(g, x):
    return g[:, None].expand_as(x)


def vjp_add(g, x, b):
    return g, g.sum(dim=0)
