def slope(square, loss):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    loss(square(x)).backward()
    return x.grad.tolist()


losses = {
    "f.sum()": lambda f: f.sum(),
    "(3 * f).sum()": lambda f: (3 * f).sum(),
    "(f**2).sum()": lambda f: (f**2).sum(),
}
print("               SquareAlone  true")
for name, loss in losses.items():
    alone = slope(SquareAlone.apply, loss)
    print(f"{name:15}{alone!s:13}{slope(torch.square, loss)}")
