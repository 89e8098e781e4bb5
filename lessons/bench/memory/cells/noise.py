def run_noise(h, start, stop):
    for i in range(start, stop):
        mask = torch.rand_like(h) < 0.5
        h = h + 0.1 * torch.sin(h + i) * mask
    return h
