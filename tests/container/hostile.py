"""Runs the hostile suite inside a container in two ways: as the runner of compose.yaml, and as a single container with an ordinary user.

    python -m tests.container.hostile "docker run --rm" gradroom [options of the suite]

The first argument is the engine's command. The suite is mounted into the image, read-only; the image has everything else.
"""

import shlex
import subprocess
import sys

from tests.container.options import ROOT, load_services, run_options

# where runs write files if the container's root file system is read-only: only this user may write anywhere else
SCRATCH = {"runner of compose.yaml": "/scratch", "single container": "/tmp"}


def main() -> None:
    engine, image, *more = sys.argv[1:]
    services = load_services()
    options = {"runner of compose.yaml": run_options(services["runner"]), "single container": ["--user=10001:10001"]}
    results = {way: run_suite(engine, image, way, options[way], more) for way in options}
    for way, result in results.items():
        print(f"{way}: {result}")
    sys.exit(any(not result.endswith(" 0 wrong") for result in results.values()))


def run_suite(engine: str, image: str, way: str, options: list[str], more: list[str]) -> str:
    """Run the suite and print its output. Return its last line."""
    own = [option for option in options if not option.startswith("--volume=")]  # the socket's: nobody else is there
    mounts = [f"--volume={ROOT / 'tests'}:/opt/gradroom/tests:ro", f"--env=TMPDIR={SCRATCH[way]}"]
    command = ["-m", "tests.sandbox.hostile", *more]
    process = subprocess.Popen(
        [*shlex.split(engine), *own, *mounts, "--entrypoint=python", image, *command], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    last = "it said nothing"
    for line in process.stdout:
        print(f"{way}: {line}", end="", flush=True)
        last = line.strip()
    return last if process.wait() in (0, 1) else f"{last} (ended with {process.returncode})"


if __name__ == "__main__":
    main()
