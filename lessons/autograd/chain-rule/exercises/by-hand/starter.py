def gradients(x, y):
    a = x * y
    b = x + a
    out = a * b

    grad_out = 1.0
    grad_b = 0.0
    grad_a = 0.0
    grad_x = 0.0
    grad_y = 0.0
    return grad_x, grad_y
