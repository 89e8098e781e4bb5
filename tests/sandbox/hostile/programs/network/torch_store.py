# tries: torch's own server for distributed training, in C++
# outcome: raised, forbidden
# runtimes: torch
import torch.distributed

torch.distributed.TCPStore("127.0.0.1", 0, 1, True)
print("ESCAPED")
