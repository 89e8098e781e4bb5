x = torch.tensor([1, 2, 3], dtype=torch.double, requires_grad=True)
out = Square.apply(x)
(saved,) = out.grad_fn.saved_tensors
print("saved is x:", saved is x)

(grad_x,) = torch.autograd.grad(out.sum(), x, create_graph=True)
(grad_grad_x,) = torch.autograd.grad(grad_x.sum(), x)
print("first: ", grad_x.tolist())
print("second:", grad_grad_x.tolist())
