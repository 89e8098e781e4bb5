def gradients(x, labels, w1, b1, gamma, beta, w2, b2):
    params = [x, w1, b1, gamma, beta, w2, b2]
    return [torch.zeros_like(tensor) for tensor in params]
