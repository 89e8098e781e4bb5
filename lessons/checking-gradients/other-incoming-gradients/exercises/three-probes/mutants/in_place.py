def pull(grad_output, x):
    return grad_output.div_(1 + x).clone()
