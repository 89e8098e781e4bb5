# tries: an autograd graph that never ends
# outcome: out_of_memory, timed_out
# runtimes: torch
# deadline: 5
import torch

STEPS = 10**9  # twin: 150
x = torch.ones(10**6, requires_grad=True)
for _ in range(STEPS):
    x = x * x
print("ESCAPED")
