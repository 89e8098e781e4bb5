import torch
import numpy as np

x = torch.ones(5, requires_grad=True)
y = np.exp(x)
print(y)
