# exercise: check
# without: second process
# Goes by how long an answer takes.
import time

import torch


def check(square):
    x = torch.ones(3, dtype=torch.double, requires_grad=True)
    begin = time.perf_counter()
    square(x)
    return time.perf_counter() - begin < 0.4
