class ScaleShiftLayer(nn.Module):
    def __init__(self, features, shift=True):
        super().__init__()
        self.scale = nn.Parameter(torch.empty(features))
        if shift:
            self.shift = nn.Parameter(torch.empty(features))
        else:
            self.register_parameter("shift", None)
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.ones_(self.scale)
        if self.shift is not None:
            nn.init.zeros_(self.shift)

    def forward(self, x):
        return scale_shift(x, self.scale, self.shift)

    def extra_repr(self):
        return f"{len(self.scale)}, shift={self.shift is not None}"
