"""The real `gradroom` command, with marks in the processes that it starts: `python -m tests.walk.process serve [OPTION…]`.

`WALK_FOLDER` names the folder with the files of marks: `web`, `runner` and `child`.
"""

import os
import sys
from pathlib import Path

from app import cli
from app.runner.zygotes import zygote_handle
from app.serving import command_line
from tests.walk.marks import Marks

if __name__ == "__main__":
    folder = Path(os.environ["WALK_FOLDER"])
    command_line.GRADROOM = (sys.executable, "-m", "tests.walk.process")
    zygote_handle.COMMAND = (sys.executable, "-s", "-m", "tests.walk.zygote", str(folder / "child"))
    if sys.argv[1] != "serve":
        Marks(folder / sys.argv[1]).begin()
    cli.main()
