import torch

x = torch.ones(2, 3, requires_grad=True)
y = x**2
one = torch.tensor(1.0)
weights = {
    "one number": one,
    "one row": torch.ones(3),
    "expanded": one.expand(2, 3),
}
for name, weight in weights.items():
    try:
        y.backward(gradient=weight, retain_graph=True)
        print(f"{name:10} accepted")
    except RuntimeError as error:
        print(f"{name:10}", str(error)[:17])
