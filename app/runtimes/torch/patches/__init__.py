"""Functions of PyTorch's and Graphviz' that a child has in another form, so that they work in the sandbox."""
