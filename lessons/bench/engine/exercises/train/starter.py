def train(points, targets, weights, rate, steps, penalty):
    return weights
