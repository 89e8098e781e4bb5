# tries: torch.compile, which starts compilers
# outcome: forbidden
# runtimes: torch
# twin: none: it takes minutes
import torch

print(torch.compile(lambda x: x.sin() + 1)(torch.ones(3)))
print("ESCAPED")
