def pull(grad_output, x):
    return grad_output.clamp(max=1) / (1 + x)
