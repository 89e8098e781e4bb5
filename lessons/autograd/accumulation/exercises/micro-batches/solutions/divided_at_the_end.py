def gradient(w, xs, ys):
    examples = 0
    for i in range(len(xs)):
        error = w * xs[i] - ys[i]
        error.square().sum().backward()
        examples += len(xs[i])
    return w.grad / examples
