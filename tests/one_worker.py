"""Decides which files go to one worker of pytest-xdist together, because they share what takes seconds to start."""

from xdist.scheduler import LoadFileScheduling

FRAMEWORKS = "TensorFlow's and JAX's zygotes, which a runner starts when it is first asked for them"
ORDINARY = "a runner of an ordinary user"
CHILDREN = "the two processes of which tests/runtimes/children.py forks children"
COMMANDS = "the process that tests/warm_gradroom.py forks commands of"

# Files, or folders with everything in them. For each test, the first one that matches is used.
SHARED = {
    "tests/runner/pasted/": FRAMEWORKS,
    "tests/pitfalls/": FRAMEWORKS,
    "tests/runtimes/jax/": FRAMEWORKS,
    "tests/runtimes/tensorflow/": FRAMEWORKS,
    "tests/runtimes/": CHILDREN,
    "tests/doctor/": CHILDREN,
    "tests/grading/test_memory_exercise.py": ORDINARY,
    "tests/sandbox/test_compatibility.py": ORDINARY,
    "tests/sandbox/test_memory.py": ORDINARY,
    "tests/serving/operating/test_store_commands.py": COMMANDS,
    "tests/test_cli.py": COMMANDS,
}


class SharingFiles(LoadFileScheduling):
    """Gives a worker whole files, or all files that share something."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return next((shared for place, shared in SHARED.items() if file.startswith(place)), file)
