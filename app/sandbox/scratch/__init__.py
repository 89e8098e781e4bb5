"""The folders in which runs write files, and their limits."""
