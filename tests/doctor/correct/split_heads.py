# One input, three outputs of which one is not used.
import torch


class SplitThree(torch.autograd.Function):
    @staticmethod
    def forward(ctx, qkv):
        q, k, v = qkv.chunk(3, dim=-1)
        return q.clone(), k.clone(), v.clone()

    @staticmethod
    def backward(ctx, *grads):
        return torch.cat(grads, dim=-1)


torch.manual_seed(10)
qkv = torch.randn(2, 4, 9, requires_grad=True)
q, k, _ = SplitThree.apply(qkv)
(q * k).sum().backward()
print(qkv.grad[..., 6:].abs().sum() == 0)
