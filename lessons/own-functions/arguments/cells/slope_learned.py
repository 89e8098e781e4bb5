class Learned(LeakyReLU):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        grad_x, _ = LeakyReLU.backward(ctx, grad_output)
        grad_slope = (grad_output * x.clamp(max=0)).sum()
        return grad_x, grad_slope


x = torch.tensor([-2.0, 3.0], dtype=torch.double, requires_grad=True)
slope = torch.tensor(0.05, dtype=torch.double, requires_grad=True)
Learned.apply(x, slope).sum().backward()
print("slope.grad:", slope.grad.item())
Learned.apply(x, 0.05).sum().backward()
print("a number works, too")
