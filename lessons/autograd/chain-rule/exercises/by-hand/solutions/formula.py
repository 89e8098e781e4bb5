def gradients(x, y):
    # out = x²y + x²y²
    return 2 * x * y + 2 * x * y**2, x**2 + 2 * x**2 * y
