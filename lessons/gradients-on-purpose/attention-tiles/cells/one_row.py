import math

import torch

scores = torch.tensor([1.0, 0.0, 3.0, 2.0, 2.0, 4.0])
top, total = -math.inf, 0.0
for tile in scores.split(2):
    new_top = max(top, tile.max().item())
    factor = math.exp(top - new_top)
    total = total * factor + torch.exp(tile - new_top).sum().item()
    top = new_top
    print(f"{tile.tolist()}: top {top},", end=" ")
    print(f"factor {factor:.4f}, sum {total:.4f}")
whole = torch.exp(scores - scores.max()).sum()
print(f"all at once: top {scores.max()}, sum {whole:.4f}")
