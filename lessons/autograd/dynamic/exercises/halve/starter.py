import torch


def halve(x, limit):
    numbers = x.tolist()
    while max(abs(n) for n in numbers) > limit:
        numbers = [n / 2 for n in numbers]
    return torch.tensor(numbers, dtype=x.dtype)
