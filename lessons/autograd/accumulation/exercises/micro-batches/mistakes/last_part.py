def gradient(w, xs, ys):
    count = sum(len(x) for x in xs)
    for x, y in zip(xs, ys):
        w.grad = None
        (((w * x - y) ** 2).sum() / count).backward()
    return w.grad
