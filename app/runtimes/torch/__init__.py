"""The runtime for programs that use PyTorch: its instruments, its patches, and the grading of exercises."""
