"""Observes what JAX runs backward. Used by the instrument `trace`, which is off by default."""
