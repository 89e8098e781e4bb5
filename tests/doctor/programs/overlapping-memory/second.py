# pitfall: overlapping-memory
# line: 33
# silent: no
# seen: the sliding windows overlap in memory, so that gradcheck's step changes several entries at once; pass `windows.clone()`.
import torch


class WindowEnergy(torch.autograd.Function):
    """Weighted energy of every window of a recording."""

    @staticmethod
    def forward(ctx, windows, taper):
        ctx.save_for_backward(windows, taper)
        return (taper * windows**2).sum(dim=1)

    @staticmethod
    def backward(ctx, grad_energy):
        windows, taper = ctx.saved_tensors
        g = grad_energy.unsqueeze(1)
        return 2 * g * taper * windows, (g * windows**2).sum(dim=0)


def frames(recording, size, hop):
    return recording.unfold(0, size, hop)


torch.manual_seed(54)
recording = torch.randn(16, dtype=torch.float64)
taper = torch.hann_window(6, dtype=torch.float64).requires_grad_(True)
windows = frames(recording, size=6, hop=2).requires_grad_(True)
WindowEnergy.apply(windows, taper).sum().backward()
print(windows.shape[0], "windows")
torch.autograd.gradcheck(WindowEnergy.apply, (windows, taper))
print("checked")
