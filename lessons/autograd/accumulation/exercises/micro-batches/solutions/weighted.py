def gradient(w, xs, ys):
    total = 0
    for x in xs:
        total += x.numel()
    for x, y in zip(xs, ys):
        share = x.numel() / total
        (((w * x - y) ** 2).mean() * share).backward()
    return w.grad
