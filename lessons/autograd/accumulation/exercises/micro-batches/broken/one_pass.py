import torch


def gradient(w, xs, ys):
    ((w * torch.cat(xs) - torch.cat(ys)) ** 2).mean().backward()
    return w.grad
