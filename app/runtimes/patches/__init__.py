"""Functions of Python's and its libraries' that a child has in another form, so that they work in the sandbox."""
