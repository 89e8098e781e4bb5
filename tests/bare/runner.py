"""The real runner with bare zygotes: `python -m tests.bare.runner [OPTION…]` as `gradroom runner`, started in the project's folder.

Only the tests start it; the product has no such switch.
"""

import sys

from app import cli
from app.runner.zygotes import zygote_handle

BARE_ZYGOTE = (sys.executable, "-s", "-m", "tests.bare.zygote")

if __name__ == "__main__":
    zygote_handle.COMMAND = BARE_ZYGOTE
    sys.argv.insert(1, "runner")
    cli.main()
