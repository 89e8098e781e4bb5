import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import app
from app.serving.author import is_own_machine, set_author_settings
from app.settings import PREFIX


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore the environment variables that author mode sets after the test."""
    monkeypatch.setattr(os, "environ", os.environ.copy())


@pytest.mark.parametrize(
    ("host", "own"), [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("room.test", False)]
)
def test_others_are_let_in_only_when_that_is_said(tmp_path: Path, host: str, own: bool) -> None:
    assert is_own_machine(host) == own
    set_author_settings(tmp_path, host, allow_others=True)
    if own:
        set_author_settings(tmp_path, host, allow_others=False)
    else:
        with pytest.raises(match="--allow-others"):
            set_author_settings(tmp_path, host, allow_others=False)


def test_web_is_the_user_whose_folder_it_is_and_serves_that_folder_alone(tmp_path: Path) -> None:
    os.environ[f"{PREFIX}COURSE_FOLDERS"] = "/elsewhere"
    set_author_settings(tmp_path, "127.0.0.1", allow_others=False)
    given = {name: os.environ[PREFIX + name] for name in ("LESSONS_FOLDER", "COURSE_FOLDERS", "WEB_UID")}
    assert given == {"LESSONS_FOLDER": str(tmp_path), "COURSE_FOLDERS": "", "WEB_UID": str(tmp_path.stat().st_uid)}


def test_a_folder_for_a_course_to_come_is_made_and_what_is_none_is_told(tmp_path: Path) -> None:
    set_author_settings(tmp_path / "new/course", "127.0.0.1", allow_others=False)
    assert (tmp_path / "new/course").is_dir()
    (tmp_path / "file").touch()
    result = CliRunner().invoke(app, ["author", str(tmp_path / "file")])
    assert (result.exit_code, result.output) == (2, f"{tmp_path / 'file'} cannot be a course's folder: File exists.\n")
