def pull(grad_output, x):
    result = grad_output.clone()
    return result.div_(1 + x)
