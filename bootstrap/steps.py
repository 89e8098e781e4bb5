"""The steps of set-up by their names on the command line."""

import os
import subprocess
import sys
from collections.abc import Callable

from bootstrap import api_types, assets, chromium, clients, environment, formulas_file, lock, machine, node, other_browsers, reference_file
from bootstrap.report import SetupError

STEPS: dict[str, Callable[[], None]] = {
    "machine": machine.check,
    "runtime": environment.install_runtime,
    "development": environment.install_development,
    "reference": reference_file.write,
    "formulas": formulas_file.write,
    "packages": assets.install_packages,
    "assets": assets.build,
    "types": api_types.write,
    "chromium": chromium.install,
    "clients": clients.install,
    "browsers": other_browsers.install,
}


def main(words: list[str]) -> None:
    """Carry out the steps in the given order. If one fails, end the program with a sentence instead of a traceback."""
    try:
        run(words)
    except SetupError as problem:
        sys.exit(f"\nSet-up stopped: {problem}")
    except subprocess.CalledProcessError as failed:
        sys.exit(f"\nSet-up stopped: this command ended with status {failed.returncode}: {' '.join(map(str, failed.cmd))}")
    except KeyboardInterrupt:
        sys.exit("\nSet-up stopped by the keyboard.")


def run(words: list[str]) -> None:
    match words:
        case ["lock", *options]:
            lock.write(upgrade="--upgrade" in options)
        case ["node", *arguments]:
            os.execve(node.find().node, [node.find().node, *arguments], node.environment())
        case ["npm", *arguments]:
            os.execve(node.find().node, [*node.npm_command(), *arguments], node.environment())
        case [] | ["--help"]:
            print(f"python3 -m bootstrap STEP..., where a step is one of: {', '.join(STEPS)}, lock, node, npm")
        case _:
            for word in words:
                if word not in STEPS:
                    raise SetupError(f"there is no step named {word!r}. The steps: {', '.join(STEPS)}, lock, node, npm.")
                STEPS[word]()
