"""Replacements for functions of Python and its libraries that cannot work in the sandbox as they are."""
