"""The programs of thirty attackers: bombs of three kinds, some of which handle the error that stops the others."""

FORK = "import os\nwhile True: os.fork()"
STUBBORN_FORK = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"
MEMORY = "kept = []\nwhile True: kept.append(bytearray(10**7))"
STUBBORN_MEMORY = "kept = []\nwhile True:\n    try: kept.append(bytearray(10**7))\n    except MemoryError: pass"
FLOOD = "while True: print('all work and no play ' * 40)"

BOMBS = [*[FORK, STUBBORN_FORK] * 5, *[MEMORY, STUBBORN_MEMORY] * 5, *[FLOOD] * 10]
