"""The means by which a process confines itself: system calls, files, the minimal root, resource limits."""
