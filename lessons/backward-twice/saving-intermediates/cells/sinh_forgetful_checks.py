from torch.autograd import gradcheck

x = torch.tensor(1.0, dtype=torch.double, requires_grad=True)
(grad_x,) = torch.autograd.grad(forgetful(x), x, create_graph=True)
(grad_grad_x,) = torch.autograd.grad(grad_x, x)
print(f"first:  {grad_x.item():.6f}")
print(f"second: {grad_grad_x.item():.6f}")

print("wrapper:", gradcheck(forgetful, x))
print("apply:  ", gradcheck(SinhForgetful.apply, x))
