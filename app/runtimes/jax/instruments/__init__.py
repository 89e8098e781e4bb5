"""Observes JAX's traces and checks."""
