def pull(grad_output, x):
    return grad_output.clamp(-1, 1) / (1 + x)
