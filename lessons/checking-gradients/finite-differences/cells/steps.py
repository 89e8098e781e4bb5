import math

import torch

x = torch.tensor(1.0, dtype=torch.double)
errors = {}
print("eps      error")
for k in (1, 3, 6, 9, 12, 15):
    eps = 10.0**-k
    central = (torch.exp(x + eps) - torch.exp(x - eps)) / (2 * eps)
    errors[eps] = abs(central.item() - math.e)  # the true slope is e
    print(f"{eps:.0e}  {errors[eps]:.1e}")
print(f"smallest error at eps = {min(errors, key=errors.get):.0e}")
