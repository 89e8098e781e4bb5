def deep(x, n):
    h = run(spread(x), 0, n)
    return h.mean(0)
