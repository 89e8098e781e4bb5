# tries: to download a model
# outcome: forbidden, raised
# runtimes: torch
# twin: none: the tests must not need a network
import torch

torch.hub.load("pytorch/vision", "resnet18", trust_repo=True)
print("ESCAPED")
