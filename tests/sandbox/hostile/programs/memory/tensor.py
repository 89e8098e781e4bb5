# tries: torch.empty(10**12)
# outcome: out_of_memory
# deadline: 30
# runtimes: torch
import torch

ELEMENTS = 10**12  # twin: 150 * 10**6
torch.empty(ELEMENTS)
print("ESCAPED")
