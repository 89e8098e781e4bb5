import torch


def check(predict):
    raise AssertionError("no way is right")
