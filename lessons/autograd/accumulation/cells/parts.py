import torch

w = torch.tensor(1.0, requires_grad=True)
x = torch.arange(8.0)
y = 3 * x

((w * x - y) ** 2).mean().backward()
print("whole batch:", w.grad.item())

w.grad = None
for part_x, part_y in zip(x.split(2), y.split(2)):
    ((w * part_x - part_y) ** 2).mean().backward()
print("four parts: ", w.grad.item())
