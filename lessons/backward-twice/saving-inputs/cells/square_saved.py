out = Square.apply(x)
(saved,) = out.grad_fn.saved_tensors
print(saved is x)

(grad_x,) = torch.autograd.grad(out.sum(), x, create_graph=True)
(grad_grad_x,) = torch.autograd.grad(grad_x.sum(), x)
print(grad_x.tolist())
print(grad_grad_x.tolist())
