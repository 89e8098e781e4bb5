# tries: torch's tensors in shared memory
# outcome: forbidden, raised
# runtimes: torch
import torch

torch.ones(10).share_memory_()
print("ESCAPED")
