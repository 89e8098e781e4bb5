def Reciprocal(x):
    return 1 / x
