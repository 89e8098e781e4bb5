"""The user that web becomes when root starts it, seen from outside, and what prevents that. Each test uses another process."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.sandbox.kernel import PR_SET_PDEATHSIG
from app.serving.web_process.open_ways import find_closed
from app.serving.web_process.web_user import give_state_folder, verify_web_user
from app.settings import PROJECT, Settings

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
WEB_UID = Settings().web_uid


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder of root's that others may enter."""
    with tempfile.TemporaryDirectory(prefix="gradroom-web-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def become_in_another_process(settings: Settings, then: str, umask: int = -1) -> str:
    """Return what the code `then` prints after web has left root. Without `umask` the process has that of the tests."""
    code = f"""
import os, sys
from pathlib import Path
from app.settings import Settings
from app.serving.web_process.web_user import become_web_user
settings = Settings.model_validate_json(sys.stdin.read())
become_web_user(settings)
{then}
"""
    command = [sys.executable, "-B", "-c", code]  # under a strict umask it would write compiled modules that others cannot read
    ended = subprocess.run(command, input=settings.model_dump_json(), capture_output=True, text=True, cwd=PROJECT, check=False, umask=umask)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@needs_root
def test_served_by_root_web_is_an_ordinary_user_and_everything_works(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "app.cli", "serve", "--port", "0")
    environment = {**os.environ, "GRADROOM_STATE_FOLDER": str(tmp_path / "state"), "GRADROOM_LOG_LEVEL": "error"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=PROJECT, env=environment) as server:
        assert server.stdout
        address = server.stdout.readline().split()[-1]
        web = find_child(server.pid, "web")
        status = Path(f"/proc/{web}/status").read_text()
        opened = subprocess.run([sys.executable, "-c", ASK_RUN, address], capture_output=True, text=True, check=False)
        server.terminate()
    assert f"Uid:\t{WEB_UID}\t{WEB_UID}\t{WEB_UID}\t{WEB_UID}\n" in status
    assert f"Gid:\t{WEB_UID}\t{WEB_UID}\t{WEB_UID}\t{WEB_UID}\n" in status
    assert "Groups:\t \n" in status
    assert "NoNewPrivs:\t1\n" in status
    assert "CapPrm:\t0000000000000000\n" in status
    assert json.loads(opened.stdout)["stdout"] == "1\n", opened.stderr
    assert (tmp_path / "state" / "cookie_secret").stat().st_uid == WEB_UID
    assert {path.name for path in (tmp_path / "state").iterdir()} == {"classroom.sqlite3", "cookie_secret"}


ASK_RUN = """
import json, sys, time, urllib.error, urllib.request
body = json.dumps({"source": "print(1)"}).encode()
request = urllib.request.Request(sys.argv[1] + "api/runs", body, {"content-type": "application/json"})
end = time.monotonic() + 60
while True:
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            print(answer.read().decode())
        break
    except urllib.error.HTTPError as error:  # the runner is not ready yet
        if time.monotonic() > end:
            raise
        time.sleep(0.2)
"""


def find_child(pid: int, name: str) -> int:
    children = map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
    return next(child for child in children if name in Path(f"/proc/{child}/cmdline").read_text().split("\0"))


@needs_root
def test_of_a_closed_folder_only_what_is_needed_can_be_seen(folder: Path) -> None:
    home = folder / "home"
    home.mkdir(mode=0o700)
    (home / "secret").write_text("secret")
    lessons = home / "lessons"
    lessons.mkdir()
    (lessons / "course.toml").write_text("course")
    settings = Settings(state_folder=home / "state", lessons_folder=lessons)
    assert find_closed(lessons) == home
    then = "print(sorted(os.listdir(settings.lessons_folder.parent)), (settings.lessons_folder / 'course.toml').read_text())"
    assert become_in_another_process(settings, then) == "['lessons', 'state'] course\n"
    assert (home / "secret").read_text() == "secret"


@needs_root
def test_under_a_strict_umask_the_folders_in_between_can_be_passed(folder: Path) -> None:
    lessons = folder / "home" / "between" / "lessons"
    lessons.mkdir(parents=True)
    (folder / "home").chmod(0o700)
    (lessons / "course.toml").write_text("course")
    settings = Settings(state_folder=folder / "home" / "state", lessons_folder=lessons)
    then = "print((settings.lessons_folder / 'course.toml').read_text(), oct(os.umask(0)))"
    assert become_in_another_process(settings, then, umask=0o077) == "course 0o77\n"


@needs_root
def test_the_death_signal_outlives_the_change_of_user(folder: Path) -> None:
    settings = Settings(state_folder=folder / "state")
    then = "from app.sandbox import kernel; print(kernel.death_signal())"
    assert become_in_another_process(settings, then) == "0\n"
    then = f"kernel.prctl({PR_SET_PDEATHSIG}, 9)"
    code = f"from app.sandbox import kernel; {then}; from app.settings import Settings; "
    code += "from app.serving.web_process.web_user import become_web_user; "
    code += f"become_web_user(Settings(state_folder={str(folder / 'state')!r})); print(kernel.death_signal())"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PROJECT, check=True)
    assert ended.stdout == f"{signal.SIGKILL.value}\n"


@needs_root
def test_a_file_that_web_could_not_read_is_named_with_what_to_do(folder: Path) -> None:
    lessons = folder / "lessons"
    lessons.mkdir()
    (lessons / "course.toml").touch(mode=0o600)
    settings = Settings(state_folder=folder / "state", lessons_folder=lessons)
    with pytest.raises(match=rf"cannot read {lessons}/course.toml.*chmod -R go\+rX.*GRADROOM_WEB_UID=0"):
        verify_web_user(settings)


@needs_root
@pytest.mark.parametrize("mode", [0o755, 0o700])
def test_a_compiled_module_that_web_cannot_read_is_no_obstacle(folder: Path, mode: int) -> None:
    compiled = folder / "lessons" / "__pycache__"
    compiled.mkdir(parents=True)
    (compiled / "checks.cpython-311.pyc.140285175365136").touch(mode=0o600)
    compiled.chmod(mode)
    verify_web_user(Settings(state_folder=folder / "state", lessons_folder=folder / "lessons"))


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("raise MemoryError", r"^MemoryError\(\)"),
        ("{}['riscv64']", r"^KeyError\('riscv64'\)"),
        ("raise PermissionError(1, 'Not for you')", r"^\[Errno 1\] Not for you"),
        ("os.kill(os.getpid(), 9)", r"^Web cannot become the user \d+: the attempt ended with the status -9"),
    ],
)
def test_an_attempt_that_ends_unexpectedly_says_how(monkeypatch: pytest.MonkeyPatch, how: str, message: str) -> None:
    monkeypatch.setattr("app.serving.web_process.web_user.become_web_user", lambda _: exec(how))
    with pytest.raises(match=message):
        verify_web_user(Settings())


@needs_root
def test_somebody_elses_state_folder_is_not_taken(folder: Path) -> None:
    os.chown(folder, 4321, 4321)
    with pytest.raises(match=r"belongs to the user 4321.*GRADROOM_WEB_UID=4321"):
        verify_web_user(Settings(state_folder=folder))


@needs_root
def test_of_the_state_folder_only_roots_own_files_are_given(folder: Path) -> None:
    elsewhere = folder / "elsewhere"
    elsewhere.touch()
    state = folder / "state"
    state.mkdir()
    (state / "cookie_secret").touch()
    (state / "symbolic").symlink_to(elsewhere)
    (state / "hard").hardlink_to(elsewhere)
    (state / "of_another").touch()
    os.chown(state / "of_another", 4321, 4321)
    give_state_folder(state, WEB_UID)
    owners = {path.name: path.lstat().st_uid for path in (*state.iterdir(), state, elsewhere)}
    assert owners == {"cookie_secret": WEB_UID, "symbolic": 0, "hard": 0, "of_another": 4321, "state": WEB_UID, "elsewhere": 0}


@needs_root
def test_a_state_folder_that_web_has_is_not_looked_into(folder: Path) -> None:
    (folder / "of_root").touch()
    os.chown(folder, WEB_UID, WEB_UID)
    give_state_folder(folder, WEB_UID)
    assert (folder / "of_root").stat().st_uid == 0


def test_whoever_starts_it_web_gains_no_privileges(folder: Path) -> None:
    settings = Settings(state_folder=folder / "state", web_uid=0)
    then = "print(*(line for line in open('/proc/self/status') if line.startswith('NoNewPrivs')), sep='', end='')"
    assert become_in_another_process(settings, then) == "NoNewPrivs:\t1\n"
