"""Rules that read a program's source with `ast`. They run in a confined child, and import nothing but Python's library."""
