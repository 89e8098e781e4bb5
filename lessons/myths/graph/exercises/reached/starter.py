def reaches(out, leaf):
    return leaf.requires_grad
