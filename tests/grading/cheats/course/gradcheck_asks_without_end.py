# exercise: bench/gradcheck/differences
# It never stops asking, with much in each question, and is told so: no fault of the server.
import torch


def check(f):
    x = torch.rand(300, 200, dtype=torch.double) + 0.6
    while True:
        f(x)
