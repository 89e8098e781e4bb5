"""The runtime for programs that use JAX."""
