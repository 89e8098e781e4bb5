"""The measures by which a process locks itself down: system calls, files, root."""
