import torch

x = torch.tensor([3.0], requires_grad=True)
weights = {"none": None, "one number": torch.tensor(1.0)}
for name, weight in weights.items():
    y = x**2  # one entry, shape [1]
    try:
        y.backward(gradient=weight)
        print(f"{name:10} accepted")
    except RuntimeError as error:
        print(f"{name:10}", str(error)[:17])
