def gradient(w, xs, ys):
    count = len(xs) * len(xs[0])  # as many as if all parts were as long as the first
    for x, y in zip(xs, ys):
        (((w * x - y) ** 2).sum() / count).backward()
    return w.grad
