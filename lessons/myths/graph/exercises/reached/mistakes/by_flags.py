def reaches(out, leaf):
    return out.requires_grad and leaf.requires_grad
