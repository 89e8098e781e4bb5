import torch

a = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
optimizer = torch.optim.Adam([a, b], lr=0.1)

(a + b).backward()
optimizer.step()
print(f"after step 1: a = {a.item():.2f}, b = {b.item():.2f}")

optimizer.zero_grad()
print("b.grad =", b.grad)
(2 * a).backward()  # b takes no part
optimizer.step()
print(f"after step 2: a = {a.item():.2f}, b = {b.item():.2f}")
