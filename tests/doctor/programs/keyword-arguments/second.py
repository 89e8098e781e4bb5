# pitfall: keyword-arguments
# line: 10
# silent: no
# seen: `apply` does not pass on keyword-only parameters; remove the `*` from forward's signature, or pass `temperature` by position.
import torch


class TemperedSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, *, temperature):
        shares = torch.softmax(logits / temperature, dim=-1)
        ctx.save_for_backward(shares)
        ctx.temperature = temperature
        return shares

    @staticmethod
    def backward(ctx, grad_shares):
        (shares,) = ctx.saved_tensors
        inner = (grad_shares * shares).sum(dim=-1, keepdim=True)
        return shares * (grad_shares - inner) / ctx.temperature, None


def distillation_loss(student, teacher, temperature):
    soft_student = TemperedSoftmax.apply(student, temperature=temperature)
    soft_teacher = torch.softmax(teacher / temperature, dim=-1)
    return -(soft_teacher * soft_student.log()).sum(dim=-1).mean()


torch.manual_seed(41)
student = torch.randn(5, 10, requires_grad=True)
teacher = torch.randn(5, 10)
loss = distillation_loss(student, teacher, temperature=4.0)
loss.backward()
print(student.grad.norm())
