# exercise: square
# without: functions
# A plain function, which autograd differentiates.
def Square(x):
    return x**2
