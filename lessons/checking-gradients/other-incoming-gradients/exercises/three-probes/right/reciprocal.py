def pull(grad_output, x):
    return grad_output * (1 + x).reciprocal()
