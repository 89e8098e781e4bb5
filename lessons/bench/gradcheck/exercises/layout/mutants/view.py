def f(x, g=None):
    if g is None:
        return x.exp()
    return (g.view(-1) * x.exp().reshape(-1)).view(x.shape)
