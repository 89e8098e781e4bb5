def gradient(w, xs, ys):
    for x, y in zip(xs, ys):
        ((w * x - y) ** 2).mean().backward()
    return w.grad
