def deep_noise(x, n, seed):
    torch.manual_seed(seed)
    h = run_noise(spread(x), 0, n)
    return h.mean(0)
