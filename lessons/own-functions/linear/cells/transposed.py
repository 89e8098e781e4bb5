class Transposed(Linear):
    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        grad_x = grad_output @ w.T  # not w
        return grad_x, grad_output.T @ x, grad_output.sum(0)


torch.manual_seed(0)
for features in (3, 2):
    x = torch.randn(4, 3, requires_grad=True)
    w = torch.randn(features, 3)
    y = Transposed.apply(x, w, torch.zeros(features))
    y.sum().backward()
    (true,) = torch.autograd.grad((x @ w.T).sum(), x)
    error = (x.grad - true).abs().max().item()
    print(f"w {tuple(w.shape)}: largest error of x.grad {error:.4f}")
