# pitfall: auxiliary-output-unmarked
# line: 21
# silent: yes
# seen: the entropy returned beside the shares looks differentiable and its gradient is thrown away; use `grad_entropy`, or `ctx.mark_non_differentiable`.
import torch


class SoftmaxWithEntropy(torch.autograd.Function):
    @staticmethod
    def forward(logits):
        shares = torch.softmax(logits, dim=-1)
        entropy = -(shares * shares.log()).sum(dim=-1)
        return shares, entropy

    @staticmethod
    def setup_context(ctx, inputs, output):
        shares, _ = output
        ctx.save_for_backward(shares)

    @staticmethod
    def backward(ctx, grad_shares, _):
        (shares,) = ctx.saved_tensors
        inner = (grad_shares * shares).sum(dim=-1, keepdim=True)
        return shares * (grad_shares - inner)


def policy_loss(logits, actions, advantage, bonus):
    shares, entropy = SoftmaxWithEntropy.apply(logits)
    chosen = shares[torch.arange(len(actions)), actions]
    return -(chosen.log() * advantage).mean() - bonus * entropy.mean()


torch.manual_seed(85)
logits = torch.randn(10, 4, requires_grad=True)
actions = torch.randint(0, 4, (10,))
advantage = torch.randn(10)
loss = policy_loss(logits, actions, advantage, bonus=0.5)
loss.backward()
print("logits:", tuple(logits.grad.shape))
