# pitfall: non-leaf-grad
# line: 27
# silent: no
# seen: `latent` is the result of `.to(...)`, no leaf, and gets no `.grad`; set `requires_grad` after the conversion.
import torch


class Decoder(torch.autograd.Function):
    @staticmethod
    def forward(ctx, latent, basis):
        ctx.save_for_backward(latent, basis)
        return torch.sigmoid(latent @ basis)

    @staticmethod
    def backward(ctx, grad_output):
        latent, basis = ctx.saved_tensors
        s = torch.sigmoid(latent @ basis)
        inner = grad_output * s * (1 - s)
        return inner @ basis.t(), latent.t() @ inner


def invert(image, basis, steps=3):
    latent = torch.zeros(1, 3, requires_grad=True).to(torch.float64)
    for _ in range(steps):
        error = (Decoder.apply(latent, basis) - image).pow(2).mean()
        error.backward()
        if latent.grad is not None:
            with torch.no_grad():
                latent -= latent.grad
    return latent


torch.manual_seed(81)
basis = torch.randn(3, 10, dtype=torch.float64)
image = torch.rand(1, 10, dtype=torch.float64)
print("latent is still zero:", bool((invert(image, basis) == 0).all()))
