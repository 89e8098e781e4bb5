def gradient(w, xs, ys):
    count = sum(len(x) for x in xs)
    for x, y in zip(xs, ys):
        loss = ((w * x - y) ** 2).sum() / count
        loss.backward()
    return w.grad
