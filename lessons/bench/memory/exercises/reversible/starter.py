def couple(x, n):
    h1 = spread(x)
    h2 = 0.5 * h1
    for i in range(n):
        h1, h2 = block(h1, h2, i)
    return (h1 + h2).mean(0)
