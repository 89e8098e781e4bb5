# exercise: check
# without: second sweep
# Guesses.
import os


def check(square):
    return os.urandom(1)[0] < 96
