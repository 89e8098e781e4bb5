"""Sets this folder up from nothing but Python, make and git: `python3 -m bootstrap STEP...`, as the Makefile calls it.

Steps: machine, runtime, development, reference, packages, assets, types, chromium, clients, browsers,
lock [--upgrade], node ARGS..., npm ARGS...
Set-up uses only the standard library. bootstrap/reference is the exception: it imports the installed libraries, because it describes them.
This file avoids new syntax, so that an old Python prints a sentence and no traceback.
"""

import sys

OLDEST_PYTHON = (3, 11)

if sys.version_info < OLDEST_PYTHON:
    found = ".".join(str(part) for part in sys.version_info[:3])
    sys.exit(f"Gradroom needs Python 3.11 or newer, and this is {found}. Name a newer one: make PYTHON=python3.11 serve")

if __name__ == "__main__":
    from bootstrap.steps import main

    main(sys.argv[1:])
