"""The messages between the runner and one child, and their limits."""
