import torch


class AddRow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, row):
        return x + row

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, grad_output  # not summed over the batch


class Total(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.sum()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output  # one number for all entries


x = torch.zeros(4, 3, requires_grad=True)
row = torch.zeros(3, requires_grad=True)
AddRow.apply(x, row).sum().backward()
print("row.grad:", row.grad.tolist())
x.grad = None
Total.apply(x).backward()
print("x.grad:", x.grad)
