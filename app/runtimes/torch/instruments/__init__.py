"""Observes PyTorch: make_dot's graphs, gradient checks, and the values of tensors."""
