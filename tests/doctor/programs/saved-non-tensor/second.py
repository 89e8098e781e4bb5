# pitfall: saved-non-tensor
# line: 17
# silent: no
# seen: the shape given to `save_for_backward` is a `torch.Size`, not a tensor; store it as an attribute of ctx.
import torch
from torch import nn


class Flatten(torch.autograd.Function):
    @staticmethod
    def forward(x, start):
        return x.reshape(*x.shape[:start], -1).clone()

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, start = inputs
        ctx.save_for_backward(x.shape)

    @staticmethod
    def backward(ctx, grad_output):
        (shape,) = ctx.saved_tensors
        return grad_output.reshape(shape), None


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.head = nn.Linear(2 * 4 * 4, 3)

    def forward(self, images):
        return self.head(Flatten.apply(torch.relu(self.conv(images)), 1))


torch.manual_seed(61)
model = Classifier()
images, labels = torch.rand(5, 1, 6, 6), torch.tensor([0, 1, 2, 1, 0])
loss = nn.functional.cross_entropy(model(images), labels)
loss.backward()
print(model.conv.weight.grad.norm())
