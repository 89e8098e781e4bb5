"""JAX in a child."""
