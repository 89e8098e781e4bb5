"""The folders in which runs write files, on hosts where a run has no tmpfs of its own: made, measured, emptied."""
