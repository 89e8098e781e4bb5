"""PyTorch in a child."""
