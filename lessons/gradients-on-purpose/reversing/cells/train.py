from torch import nn

bce = nn.functional.binary_cross_entropy_with_logits


def train(between):
    torch.manual_seed(0)
    label = torch.randint(0, 2, (200, 1)).double()
    domain = (torch.arange(200).reshape(-1, 1) % 2).double()
    x = 2 * torch.cat([label, domain], 1) - 1
    x += 0.5 * torch.randn(200, 2)
    sizes = [(2, 4), (4, 1), (4, 1)]
    nets = [nn.Linear(*size, dtype=torch.double) for size in sizes]
    groups = [{"params": net.parameters()} for net in nets]
    groups[2]["lr"] = 1.0
    optimizer = torch.optim.SGD(groups, lr=0.1, weight_decay=0.05)
    features, task, spy = nets
    for _ in range(200):
        h = features(x)
        a, b = task(h), spy(between(h))  # what b sends back to h
        optimizer.zero_grad()
        (bce(a, label) + bce(b, domain)).backward()
        optimizer.step()
    right = [((a > 0) == label).double(), ((b > 0) == domain).double()]
    return [r.mean().item() for r in right]
