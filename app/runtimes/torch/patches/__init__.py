"""Replacements for functions of PyTorch and graphviz that cannot work in the sandbox as they are."""
