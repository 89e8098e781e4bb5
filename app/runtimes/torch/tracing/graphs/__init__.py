"""The graphs that the second run of a program shows. Runs in the child."""
