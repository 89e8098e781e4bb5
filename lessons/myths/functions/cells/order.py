import torch


class Order(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out, index = x.sort()
        matrix = torch.nn.functional.one_hot(index).to(x.dtype)
        ctx.mark_non_differentiable(matrix)
        ctx.save_for_backward(matrix)
        return out, matrix

    @staticmethod
    def backward(ctx, grad_out, grad_matrix):
        shape = None if grad_matrix is None else list(grad_matrix.shape)
        print("for the matrix:", shape)
        (matrix,) = ctx.saved_tensors
        return grad_out @ matrix


x = torch.randperm(300).float().requires_grad_()
out, matrix = Order.apply(x)
print("requires grad:", matrix.requires_grad)
out[-1].backward()
print("all right:", torch.equal(x.grad, (x == 299).float()))
