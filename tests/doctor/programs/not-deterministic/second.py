# pitfall: not-deterministic
# line: 18
# silent: yes
# seen: the noise in backward makes two runs over the same graph give different gradients; keep noise out of backward, or draw it in forward and save it.
import torch


class NoisyIdentity(torch.autograd.Function):
    """Differential privacy for a recommender."""

    @staticmethod
    def forward(ctx, ratings, sigma):
        ctx.sigma = sigma
        return ratings.clone()

    @staticmethod
    def backward(ctx, grad_output):
        noise = torch.randn(grad_output.shape, dtype=grad_output.dtype)
        return grad_output + ctx.sigma * noise, None


torch.manual_seed(52)
users = torch.randn(6, 3, requires_grad=True)
films = torch.randn(5, 3, requires_grad=True)
observed = torch.randint(1, 6, (6, 5)).float()
ratings = NoisyIdentity.apply(users @ films.t(), 0.5)
loss = (ratings - observed).pow(2).mean()
loss.backward(retain_graph=True)
first = users.grad.clone()
users.grad = None
loss.backward()
print("same gradient twice:", torch.allclose(first, users.grad))
