# pitfall: saved-variables
# line: 16
# silent: no
# seen: `saved_variables` is the old name of `saved_tensors` and warns that it is deprecated.
import torch


class BilinearForm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, left, matrix, right):
        ctx.save_for_backward(left, matrix, right)
        return torch.einsum("bi,ij,bj->b", left, matrix, right)

    @staticmethod
    def backward(ctx, grad_output):
        saved = ctx.saved_variables
        left, matrix, right = saved
        g = grad_output.unsqueeze(1)
        grad_left = g * (right @ matrix.t())
        grad_right = g * (left @ matrix)
        grad_matrix = (g * left).t() @ right
        return grad_left, grad_matrix, grad_right


torch.manual_seed(39)
subjects = torch.randn(10, 4)
objects = torch.randn(10, 4)
relation = torch.eye(4, requires_grad=True)
truth = torch.randint(0, 2, (10,)).float()
logits = BilinearForm.apply(subjects, relation, objects)
loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, truth)
loss.backward()
print(tuple(relation.grad.shape))
