"""Records what was done for which content, so that a second set-up does nothing."""

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path


class Stamp:
    """A small file with the digest of everything that a step depends on. Only contents count, not modification times."""

    def __init__(self, file: Path, *parts: object) -> None:
        self.file = file
        self.digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def holds(self) -> bool:
        """Return whether the step was carried out for exactly this content."""
        return self.file.is_file() and self.file.read_text().strip() == self.digest

    def write(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(self.digest + "\n")

    def remove(self) -> None:
        """Remove the file. Called before a step begins, so that an interrupted step is not taken for done."""
        self.file.unlink(missing_ok=True)


def digest_of_files(files: Iterable[Path]) -> str:
    """Return one digest of the names and contents of these files, in any order."""
    total = hashlib.sha256()
    for file in sorted(files):
        total.update(os.fsencode(str(file)) + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()
