class Wrong(Legendre3):
    @staticmethod
    def backward(ctx, g):
        (u,) = ctx.saved_tensors
        return g * (10 * u**2 - 3) / 2  # 10 in place of 15


_, curve = fit(Wrong.apply)
print(f"loss with the wrong derivative: {curve[-1]:.2f}")

u = torch.tensor([-0.5, 0.8], dtype=torch.double, requires_grad=True)
for basis in (Legendre3.apply, Wrong.apply):
    passed = torch.autograd.gradcheck(basis, u, raise_exception=False)
    print("gradcheck:", passed)
