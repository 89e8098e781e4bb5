# exercise: check
# without: fail closed
# Waits for the end.
import time


def check(square):
    time.sleep(60)
