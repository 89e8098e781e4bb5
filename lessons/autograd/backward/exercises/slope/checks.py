import torch
from gradroom import Subject, check, draw, mistake


def f(x):
    return torch.sin(2 * x) + x**3 / 5


def derivative(at):
    at = torch.tensor(float(at), dtype=torch.float64)
    return 2 * torch.cos(2 * at) + 3 * at**2 / 5


def decimal():  # where the curve bends, and a step forward gives another slope
    return [draw.number(0.4, 0.9)]


subject = Subject("slope", decimal)
left = Subject("slope", lambda: [draw.number(-2.0, -1.0)])
steep = Subject("slope", lambda: [draw.number(3.0, 4.0)])  # far from 0: a constant is not near
at_whole = Subject("slope", lambda: [draw.whole(-2, 2)])


@check
def values():
    subject.close(derivative, atol=1e-4)
    left.close(derivative, atol=1e-4)


@check
def whole_numbers():
    at_whole.close(derivative, atol=1e-4)


@mistake
def value():
    return subject.holds("close", lambda at: f(torch.tensor(at)), 1e-4)


@mistake
def whole():
    return at_whole.holds("raises", RuntimeError, "can require gradients", order=0)


@mistake
def secant():
    near = subject.holds("close", derivative, 0.5) and steep.holds("close", derivative, 0.6)
    return near and not subject.holds("close", derivative, 1e-4)
