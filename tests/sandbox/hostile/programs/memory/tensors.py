# tries: tensors for ever
# outcome: out_of_memory
# deadline: 30
# runtimes: torch
import torch

TENSORS = 10**9  # twin: 160
kept = []
for _ in range(TENSORS):
    kept.append(torch.ones(10**6))
print("ESCAPED")
