"""Records for which files and settings a step was carried out. The same step is then skipped until they change."""

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path


class Stamp:
    """A small file with a digest of `parts`, which is everything that a step depends on. Modification times do not count."""

    def __init__(self, file: Path, *parts: object) -> None:
        self.file = file
        self.digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def holds(self) -> bool:
        """Return whether the step was carried out for exactly these `parts`."""
        return self.file.is_file() and self.file.read_text().strip() == self.digest

    def write(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(self.digest + "\n")

    def remove(self) -> None:
        """Remove the file. A step does so before it begins, so that it counts as not done if it is interrupted."""
        self.file.unlink(missing_ok=True)


def digest_of_files(files: Iterable[Path]) -> str:
    """Return one digest of the names and contents of these files. Their order makes no difference."""
    total = hashlib.sha256()
    for file in sorted(files):
        total.update(os.fsencode(str(file)) + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()
