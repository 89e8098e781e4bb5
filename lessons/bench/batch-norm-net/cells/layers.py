import torch


def layers(x, labels, w1, b1, gamma, beta, w2, b2):
    pre = x @ w1 + b1
    diff = pre - pre.mean(0)
    var = (diff**2).mean(0)
    xhat = diff / (var + 1e-5).sqrt()
    y = gamma * xhat + beta
    h = y.tanh()
    logits = h @ w2 + b2
    log_p = logits.log_softmax(1)
    loss = -log_p[torch.arange(len(x)), labels].mean()
    return pre, diff, var, xhat, y, h, logits, loss
