# tries: a DataLoader with workers
# outcome: forbidden
# runtimes: torch
import torch
from torch.utils.data import DataLoader

list(DataLoader(range(4), num_workers=2))
print("ESCAPED")
