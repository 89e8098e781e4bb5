# tries: numbers that JSON cannot say
# outcome: finished
# runtimes: torch
# says: nan
# twin: none: there is no JSON outside
import torch

print(float("nan"))
torch.tensor([float("nan"), float("inf"), -float("inf"), 1e308])
