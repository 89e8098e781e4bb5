"""The units of systemd are understood by systemd, and name what is there."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UNITS = sorted((ROOT / "deploy").glob("gradroom*.*"))
PROGRAM = re.compile(r"^ExecStart=/opt/gradroom/(\S+)(.*)$", re.MULTILINE)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
def test_systemd_finds_no_fault(tmp_path: Path) -> None:
    for unit in UNITS:
        text = PROGRAM.sub(rf"ExecStart={shutil.which('true')}\2", unit.read_text())
        (tmp_path / unit.name).write_text(text.replace("/opt/gradroom", str(ROOT)))
    command = ["systemd-analyze", "verify", "--man=no", *(tmp_path / unit.name for unit in UNITS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_they_start_is_in_the_project() -> None:
    started = {found[1] for unit in UNITS for found in PROGRAM.finditer(unit.read_text())}
    assert started == {".venv/bin/gradroom", "deploy/backup.sh"}
    assert (ROOT / "deploy" / "backup.sh").stat().st_mode & 0o111
