class SinhForgetful(Sinh):
    @staticmethod
    def backward(ctx, grad_out, grad_up, grad_down):
        up, down = ctx.saved_tensors
        return grad_out * (up + down) / 2


def forgetful(x):
    return SinhForgetful.apply(x)[0]


x = torch.tensor(1.0, dtype=torch.double, requires_grad=True)
(grad_x,) = torch.autograd.grad(forgetful(x), x, create_graph=True)
(grad_grad_x,) = torch.autograd.grad(grad_x, x)
print(f"{grad_x.item():.6f}", f"{grad_grad_x.item():.6f}")

print(gradcheck(forgetful, x))
print(gradgradcheck(forgetful, x))
