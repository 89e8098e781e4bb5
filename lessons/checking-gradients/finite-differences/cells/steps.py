import torch

x = torch.tensor(3.0, dtype=torch.double)
slope = -1 / 9  # the true one
errors = {}
print("eps      error")
for k in (1, 3, 6, 9, 12, 15):
    eps = 10.0**-k
    central = (1 / (x + eps) - 1 / (x - eps)) / (2 * eps)
    errors[eps] = abs(central.item() - slope)
    print(f"{eps:.0e}  {errors[eps]:.1e}")
print(f"smallest error at eps = {min(errors, key=errors.get):.0e}")
