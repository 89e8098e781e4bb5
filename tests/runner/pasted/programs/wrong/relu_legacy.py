import torch
from torch.autograd import Variable


class MyReLU(torch.autograd.Function):
    def forward(self, input):
        self.save_for_backward(input)
        return input.clamp(min=0)

    def backward(self, grad_output):
        input, = self.saved_tensors
        grad_input = grad_output.clone()
        grad_input[input < 0] = 0
        return grad_input


x = Variable(torch.randn(64, 10))
w = Variable(torch.randn(10, 5), requires_grad=True)
relu = MyReLU()
loss = relu(x.mm(w)).pow(2).sum()
print(loss.data[0])
loss.backward()
