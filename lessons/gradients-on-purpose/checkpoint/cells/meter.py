class Kept:
    now = peak = 0

    def __init__(self, tensor):
        self.tensor = tensor
        Kept.now += 1
        Kept.peak = max(Kept.peak, Kept.now)

    def __del__(self):  # autograd has freed the tensor
        Kept.now -= 1


def layers(count):
    def run(x):
        for _ in range(count):
            x = torch.tanh(1.1 * x)
            calls.append(1)
        return x

    return run
