def gradient(w, xs, ys):
    count = sum(len(x) for x in xs)
    for part in range(min(4, len(xs))):
        (((w * xs[part] - ys[part]) ** 2).sum() / count).backward()
    return w.grad
