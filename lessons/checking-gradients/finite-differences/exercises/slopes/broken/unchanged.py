import torch


def volume(x):
    return x[0] * x[1] ** 2 * torch.exp(x[2])


def waves(x):
    return torch.sin(3 * x).sum() + (x**3).prod()


def slopes(f, x, eps):
    result = torch.zeros_like(x)
    for i in range(len(x)):
        x[i] += eps
        up = f(x)
        x[i] -= 2 * eps
        result[i] = (up - f(x)) / (2 * eps)
        if i < len(x) - 1:
            x[i] += eps
    return result


def slopes_of_volume(x, eps):
    return slopes(volume, x, eps)


def slopes_of_waves(x, eps):
    return slopes(waves, x, eps)
