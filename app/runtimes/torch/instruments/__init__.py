"""Observes PyTorch: graphs, gradient checks, tensors."""
