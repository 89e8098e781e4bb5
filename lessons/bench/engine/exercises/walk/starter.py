def gradients(out, inputs):
    return [0.0 for one in inputs]
