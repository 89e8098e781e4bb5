# exercise: bench/gradcheck/differences
# It never stops asking, and is told so: no fault of the server.
import torch


def check(f):
    x = torch.rand(3, 2, dtype=torch.double) + 0.6
    while True:
        f(x)
