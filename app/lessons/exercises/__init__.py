"""Loads exercises: exercise.toml, programs and texts. Checks that they agree, and that a check verifies each promise of the task."""
