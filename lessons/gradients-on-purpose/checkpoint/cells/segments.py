import matplotlib.pyplot as plt

hooks = torch.autograd.graph.saved_tensors_hooks
peaks = {}
for segments in (0, 1, 2, 4, 8, 16):
    calls, Kept.peak = [], 0
    x = torch.linspace(-1, 1, 1000, requires_grad=True)
    with hooks(Kept, lambda kept: kept.tensor):
        out = layers(16)(x) if segments == 0 else x
        for _ in range(segments):
            out = Checkpoint.apply(layers(16 // segments), out)
        out.sum().backward()
    peaks[segments] = Kept.peak
    print(f"{segments:2} segments: {Kept.peak:2} tensors kept,", f"{len(calls)} layers run, x.grad[0] = {x.grad[0]:.4f}")

plt.figure(figsize=(5, 3))
plt.axhline(peaks.pop(0), ls="--", color="gray", label="no checkpoint")
plt.plot(list(peaks), list(peaks.values()), "o-", label="checkpoints")
plt.xlabel("segments")
plt.ylabel("most tensors kept at once")
plt.title("16 layers")
plt.xticks(list(peaks))
plt.yticks(range(0, 21, 4))
plt.legend(loc="lower right")
plt.tight_layout()
