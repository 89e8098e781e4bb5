# exercise: autograd/dynamic/halve
# caught by: no-step
# An entry as large as the limit is halved, though it is not larger.
def halve(x, limit):
    while x.abs().max() >= limit:
        x = x / 2
    return x
