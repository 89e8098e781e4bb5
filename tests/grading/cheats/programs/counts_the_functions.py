# exercise: check
# without: second process
# Takes the first one for the right one.
calls = 0


def check(square):
    global calls
    calls += 1
    return calls == 1
