def gradients(x, y):
    a = x * y
    b = x + a

    grad_b = a
    grad_a = b + 1
    grad_x = 1 + y
    grad_y = x
    return grad_x, grad_y
