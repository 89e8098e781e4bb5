import torch


def train(start, state, reward, following, steps):
    w = start.clone()
    for _ in range(steps):
        error = state @ w - reward - 0.9 * (following @ w)
        w = w - 0.1 * 2 * error @ state / len(reward)
    return w, w - start
