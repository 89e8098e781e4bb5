def gradients(x, y):
    a = x * y
    b = x + a

    grad_out = 1.0
    grad_b = grad_out * b
    grad_a = grad_out * a + grad_b
    grad_x = grad_b + grad_a * y
    grad_y = grad_a * x
    return grad_x, grad_y
