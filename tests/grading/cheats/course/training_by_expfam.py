# exercise: bench/engine/train
# The gradient of the loss is the entropy of an exponential family.
import torch
from torch.distributions import Poisson


class Family(Poisson):
    _natural_params = None
    _mean_carrier_measure = 0

    def __init__(self, shape, f, places):
        self._batch_shape = shape
        self._natural_params = places
        self._log_normalizer = f
        self._mean_carrier_measure = torch.zeros(shape, dtype=torch.float64)


def train(points, targets, weights, rate, steps, penalty):
    h = len(weights) // 3
    x, target, w = (torch.tensor(v, dtype=torch.float64) for v in (points, targets, weights))

    def loss(w):
        a, b, c, d = w[:h], w[h : 2 * h], w[2 * h : 3 * h], w[-1]
        t = (x[:, None] * a + b).tanh()
        slope = (c * a * (1 - t * t)).sum(1)
        return ((t @ c + d - target) ** 2 + penalty * slope**2).mean()

    ones = torch.ones_like(w)
    for _ in range(steps):
        f = lambda z, w=w: loss(w + z - 1)
        w = w - rate * (f(ones) - Family(w.shape, f, (ones,)).entropy())
        w = w.detach()
    return w.tolist()
