"""The secrets of a cluster, and what a machine must not know that runs programs for one."""

import importlib.util
import signal
import stat
import subprocess
from pathlib import Path

import pytest

from app.cluster.key_folder import COPIED, KeyFolder
from app.cluster.node_plan import NodePlan
from app.cluster.ray_process import find_entries, find_processes, stop_accepting
from app.serving.command_refused import CommandRefused
from tests.patience import wait_for
from tests.warm_gradroom import WarmGradroom

needs_extra = pytest.mark.skipif(importlib.util.find_spec("cryptography") is None, reason="the extra `ray` is not installed")


@needs_extra
def test_secrets_are_made_once_and_only_their_owner_reads_them(tmp_path: Path) -> None:
    keys = KeyFolder(tmp_path / "cluster", tmp_path / "node")
    keys.make()
    made = {name: (keys.folder / name).read_bytes() for name in COPIED}
    keys.make()
    assert {name: (keys.folder / name).read_bytes() for name in COPIED} == made
    assert {stat.S_IMODE((keys.folder / name).stat().st_mode) for name in COPIED if name != "authority.pem"} == {0o600}
    assert made["ray_token"] != made["run_token"]
    keys.require()
    keys.run_token.chmod(0o644)
    with pytest.raises(CommandRefused, match="can be read by others"):
        keys.require()
    keys.ray_token.unlink()
    with pytest.raises(CommandRefused, match="is missing"):
        keys.require()


@needs_extra
def test_a_nodes_certificate_is_for_its_address_and_signed_by_the_authority(tmp_path: Path) -> None:
    from cryptography import x509

    keys = KeyFolder(tmp_path / "cluster", tmp_path / "node")
    keys.make()
    keys.issue(["10.0.0.7"])
    certificate = x509.load_pem_x509_certificate(keys.certificate.read_bytes())
    certificate.verify_directly_issued_by(x509.load_pem_x509_certificate(keys.authority.read_bytes()))
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(one) for one in names.get_values_for_type(x509.IPAddress)} == {"127.0.0.1", "10.0.0.7"}
    assert stat.S_IMODE(keys.key.stat().st_mode) == 0o600


@needs_extra
@pytest.mark.parametrize(
    ("options", "environment", "words"),
    [
        (("--name", "n1"), {"GRADROOM_DATABASE_URL": "sqlite:////tmp/none.sqlite3"}, "must not know GRADROOM_DATABASE_URL"),
        (("--name", "n1"), {"GRADROOM_COOKIE_SECRET": "0123456789abcdef"}, "must not know GRADROOM_COOKIE_SECRET"),
        (("--name", "Node-1"), {}, "expected 1 to 16 small letters and digits"),
        (("--name", "n1"), {}, "ray_token is missing"),
    ],
)
def test_a_machine_that_must_not_join_is_told_why(
    warm_gradroom: WarmGradroom, tmp_path: Path, options: tuple[str, ...], environment: dict[str, str], words: str
) -> None:
    ended = warm_gradroom.run("cluster", "join", "127.0.0.1:9", *options, GRADROOM_STATE_FOLDER=str(tmp_path), **environment)
    assert ended.returncode == 2
    assert words in ended.stderr


def test_leaving_without_having_joined_is_refused(warm_gradroom: WarmGradroom, tmp_path: Path) -> None:
    ended = warm_gradroom.run("cluster", "leave", GRADROOM_STATE_FOLDER=str(tmp_path))
    assert ended.returncode == 2
    assert "is in no cluster" in ended.stderr


@needs_extra
def test_the_heads_redis_has_a_password_that_others_cannot_read(tmp_path: Path) -> None:
    keys = KeyFolder(tmp_path / "cluster", tmp_path / "node")
    keys.make()
    keys.redis_password.write_text("a password\n")
    with pytest.raises(CommandRefused, match="redis_password can be read by others"):
        keys.require()
    keys.redis_password.chmod(0o600)
    keys.require()
    head = plan_of(keys, redis="10.0.0.2:6379").ray_options
    assert head[head.index("--redis-password") + 1] == "a password"
    assert "--redis-password" not in plan_of(keys, redis=None).ray_options


def plan_of(keys: KeyFolder, redis: str | None) -> NodePlan:
    return NodePlan(
        name="n1",
        address="10.0.0.1",
        head="10.0.0.1:6379",
        is_head=True,
        runs=False,
        host="0.0.0.0",
        port=8000,
        redis=redis,
        secrets_folder=keys.folder,
        own_folder=keys.own,
        socket=Path("/tmp/none.sock"),
    )


def test_the_entry_of_a_node_that_leaves_is_told_to_accept_nothing_more(tmp_path: Path) -> None:
    """HAProxy ends by itself at SIGUSR1 once its connections have ended; `sleep` ends at once."""
    keys = KeyFolder(tmp_path, tmp_path)
    entry = subprocess.Popen(["haproxy", "60"], executable="/bin/sleep", start_new_session=True)
    other = subprocess.Popen(["sleep", "60"], process_group=0)
    try:
        (tmp_path / "ray_session").write_text(str(entry.pid))
        wait_for(lambda: find_entries(keys) == [entry.pid])
        stop_accepting(keys)
        assert entry.wait(60) == -signal.SIGUSR1
        assert find_entries(keys) == []
        assert other.poll() is None
    finally:
        entry.kill()
        other.kill()
        other.wait()


def test_only_rays_processes_of_a_session_are_found() -> None:
    """The number of a session may belong to other processes by the time at which a note of it is read."""
    process = subprocess.Popen(["sleep", "60"], start_new_session=True)
    try:
        assert find_processes(process.pid) == []
    finally:
        process.kill()
        process.wait()
