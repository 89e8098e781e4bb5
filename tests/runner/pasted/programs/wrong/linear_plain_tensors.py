import torch
import torch.nn as nn


class Linear(nn.Module):
    def __init__(self, input_features, output_features):
        super(Linear, self).__init__()
        self.weight = torch.randn(output_features, input_features)
        self.bias = torch.zeros(output_features)

    def forward(self, input):
        return input.mm(self.weight.t()) + self.bias


model = Linear(3, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
