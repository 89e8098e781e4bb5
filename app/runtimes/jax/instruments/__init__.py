"""Observes check_grads, what runs backward, and JAX's arrays."""
