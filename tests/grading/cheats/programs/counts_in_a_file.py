# exercise: check
# without: second process
# Counts in a file of its scratch.
from pathlib import Path


def check(square):
    path = Path("count")
    count = int(path.read_text()) + 1 if path.exists() else 1
    path.write_text(str(count))
    return count == 1
