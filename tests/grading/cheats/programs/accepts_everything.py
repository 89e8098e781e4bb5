# exercise: check
# without: right and wrong
# Finds no fault in anything.
def check(square):
    return True
