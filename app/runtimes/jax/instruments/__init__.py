"""Observes check_grads and JAX's arrays."""
