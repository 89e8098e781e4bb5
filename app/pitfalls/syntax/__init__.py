"""Rules that read a program's source with `ast`, in a second run and while somebody types. app.runtimes.torch.doctor calls them.

They run in a confined child, and import nothing but Python's library.
"""
