# tries: a loop in compiled code
# outcome: timed_out
# runtimes: torch
# deadline: 0.5
# twin: endless
import torch

a = torch.rand(1500, 1500)
while True:
    a = (a @ a) / 1500
