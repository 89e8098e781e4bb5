import torch


class AddBias(torch.autograd.Function):
    @staticmethod
    def forward(ctx, rows, bias):
        return rows + bias

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, grad_output  # both of rows' shape


rows = torch.zeros(2, 3, requires_grad=True)
bias = torch.zeros(3, requires_grad=True)
AddBias.apply(rows, bias).sum().backward()
print("bias.grad =", bias.grad)
print("its shape:", list(bias.grad.shape))
