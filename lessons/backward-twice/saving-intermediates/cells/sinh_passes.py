class SinhPrinting(Sinh):
    @staticmethod
    def backward(ctx, grad_out, grad_up, grad_down):
        print("up:", grad_up.item(), "down:", grad_down.item())
        return Sinh.backward(ctx, grad_out, grad_up, grad_down)


x = torch.tensor(1.0, dtype=torch.double, requires_grad=True)
out, up, down = SinhPrinting.apply(x)

(grad_x,) = torch.autograd.grad(out, x, create_graph=True)
(grad_grad_x,) = torch.autograd.grad(grad_x, x)
print(f"second: {grad_grad_x.item():.6f}")
print(f"sinh 1: {torch.sinh(x).item():.6f}")
