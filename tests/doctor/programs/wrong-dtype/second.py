# pitfall: wrong-dtype
# line: 18
# silent: yes
# seen: `torch.zeros(...)` makes a float32 gradient for a float64 input, silently cast; use `grad_output.new_zeros(...)`.
import torch


class SegmentSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, values, segment, count):
        ctx.save_for_backward(segment)
        ctx.size = values.shape
        return values.new_zeros(count).index_add(0, segment, values)

    @staticmethod
    def backward(ctx, grad_sums):
        (segment,) = ctx.saved_tensors
        grad_values = torch.zeros(ctx.size)
        for i, s in enumerate(segment.tolist()):
            grad_values[i] = grad_sums[s]
        return grad_values, None, None


torch.manual_seed(65)
claims = (torch.rand(12, dtype=torch.float64) * 1e4).requires_grad_(True)
district = torch.arange(12) % 4
totals = SegmentSum.apply(claims, district, 4)
share = totals / totals.sum()
entropy = -(share * share.log()).sum()
entropy.backward()
print("dtype of the gradient:", claims.grad.dtype)
