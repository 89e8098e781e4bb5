# Contrastive loss of two views: the matching pair stands on the diagonal.
import torch
from torch.autograd import Function


class InfoNCE(Function):
    """Cross-entropy of each query against all keys; query i belongs to key i."""

    @staticmethod
    def forward(ctx, queries, keys, temperature):
        """queries, keys: (n, d), already normalised; returns a scalar."""
        n = queries.shape[0]
        if keys.shape[0] != n:
            raise ValueError("as many keys as queries, please")
        if temperature <= 0:
            raise ValueError("the temperature has to be positive")
        logits = queries @ keys.t() / temperature
        log_z = torch.logsumexp(logits, dim=1)
        ctx.temperature = temperature
        ctx.save_for_backward(queries, keys)
        return (log_z - logits.diagonal()).mean()

    @staticmethod
    def backward(ctx, grad_loss):
        queries, keys = ctx.saved_tensors
        n = queries.shape[0]
        logits = queries @ keys.t() / ctx.temperature
        probs = torch.softmax(logits, dim=1)
        eye = torch.eye(n, dtype=probs.dtype)
        grad_logits = grad_loss * (probs - eye) / n
        grad_queries = grad_keys = None
        if ctx.needs_input_grad[0]:
            grad_queries = grad_logits @ keys / ctx.temperature
        if ctx.needs_input_grad[1]:
            grad_keys = grad_logits.t() @ queries / ctx.temperature
        return grad_queries, grad_keys, None


def embed(x, weight):
    return torch.nn.functional.normalize(torch.tanh(x @ weight), dim=1)


torch.manual_seed(13)
images = torch.randn(6, 8)
student = torch.randn(8, 4, requires_grad=True)
teacher = torch.randn(8, 4)
text_weight = torch.randn(8, 4, requires_grad=True)
with torch.no_grad():
    frozen = embed(images, teacher)
noisy = images + 0.1 * torch.randn(6, 8)
distil = InfoNCE.apply(frozen, embed(noisy, student), 0.2)
match = InfoNCE.apply(embed(images, text_weight), embed(noisy, student), 0.2)
(distil + match).backward()
print(student.grad.shape, text_weight.grad.shape)
