# exercise: check
# without: right and wrong
# Finds a fault in everything.
def check(square):
    raise AssertionError("wrong")
