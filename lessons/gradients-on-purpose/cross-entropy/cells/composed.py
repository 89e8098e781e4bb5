import torch
import torch.nn.functional as F


def composed(logits, target):
    log_p = torch.log(torch.softmax(logits, 1))
    return -log_p.gather(1, target[:, None])[:, 0]


def kept_bytes(f, *args):
    sizes = {}

    def note(tensor):
        sizes[tensor.data_ptr()] = tensor.nbytes  # each memory once
        return tensor

    hooks = torch.autograd.graph.saved_tensors_hooks
    with hooks(note, lambda tensor: tensor):
        f(*args)
    return sum(sizes.values())
