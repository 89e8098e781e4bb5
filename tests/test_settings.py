"""The settings: what the environment may say, and that operators can read about each."""

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

import app.settings
from app.protocol.limits import MEBIBYTE, Limits
from app.settings import PROJECT, Settings, SettingsError, find_unknown, load_settings
from tests.one_test import in_one_test

PAGE = PROJECT / "docs" / "operations.md"


@in_one_test("name", Settings.model_fields)
def test_every_setting_is_documented(name: str) -> None:
    row = re.search(rf"^\| `GRADROOM_{name.upper()}` \|(.*)\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert row, f"docs/operations.md has no row for GRADROOM_{name.upper()}"
    description = Settings.model_fields[name].description
    assert description
    assert description in row[1]


def test_nothing_else_is_documented_as_a_setting() -> None:
    documented = set(re.findall(r"^\| `GRADROOM_(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert documented == {name.upper() for name in Settings.model_fields}


def test_the_default_limits_are_the_protocols() -> None:
    assert Settings().limits == Limits()


@pytest.mark.parametrize("field", msgspec.structs.fields(Limits), ids=lambda field: str(field.name))
def test_the_bounds_of_the_limits_are_the_protocols(field: msgspec.structs.FieldInfo) -> None:
    meta = get_args(field.type)[1]
    bounds = {name: value for item in Settings.model_fields[field.name].metadata for name, value in vars_of(item).items()}
    assert bounds == {name: getattr(meta, name) for name in ("gt", "ge", "le") if getattr(meta, name) is not None}


def vars_of(item: object) -> dict[str, object]:
    return {name: getattr(item, name) for name in ("gt", "ge", "le") if hasattr(item, name)}


def test_the_environment_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADROOM_ALLOWED_HOSTS", "learn.example, 10.0.0.2 ,")
    monkeypatch.setenv("GRADROOM_DEADLINE_SECONDS", "2.5")
    monkeypatch.setenv("GRADROOM_RUNNER_SOCKET", "/run/gradroom.sock")
    settings = load_settings()
    assert settings.allowed_hosts == ("learn.example", "10.0.0.2")
    assert settings.limits.deadline_seconds == 2.5
    assert settings.socket == Path("/run/gradroom.sock")


@pytest.mark.parametrize(
    ("value", "why"),
    [('{"LD_PRELOAD": "x.so"}', "Input should be 'ATEN_CPU_CAPABILITY'"), ('{"MKL_CBWR": 2}', "valid string"), ("AVX2", "Expecting value")],
)
def test_zygotes_get_no_other_variables(monkeypatch: pytest.MonkeyPatch, value: str, why: str) -> None:
    monkeypatch.setenv("GRADROOM_ZYGOTE_PROCESSOR", '{"ATEN_CPU_CAPABILITY": "avx2"}')
    assert load_settings().zygote_processor == {"ATEN_CPU_CAPABILITY": "avx2"}
    monkeypatch.setenv("GRADROOM_ZYGOTE_PROCESSOR", value)
    with pytest.raises(SettingsError, match=f"GRADROOM_ZYGOTE_PROCESSOR: .*{why}"):
        load_settings()


@pytest.mark.parametrize(
    ("name", "value"), [("CONCURRENCY", "0"), ("DEADLINE_SECONDS", "61"), ("LOG_FORMAT", "xml"), ("MEMORY_BYTES", "lots"), ("SPARES", "-1")]
)
def test_a_value_out_of_bounds_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"GRADROOM_{name}", value)
    with pytest.raises(SettingsError, match=f"GRADROOM_{name}: .*{value}"):
        load_settings()


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("TRUSTED_PROXIES", "foo/33", "'foo/33' was given; expected an address or a network"),
        ("TRUSTED_PROXIES", "127.0.0.1,10.0.0.0/33", "'10.0.0.0/33' was given"),
        ("TRUSTED_PROXIES", "10.0.0.1/8", "has host bits set"),
        ("TRUSTED_PROXIES", "*", "expected an address or a network"),
        ("TRUSTED_PROXIES", "caddy", "expected an address or a network"),
        ("ALLOWED_HOSTS", "https://room.example", "expected a name or address without scheme and port"),
        ("ALLOWED_HOSTS", "localhost,room.example:8000", "'room.example:8000' was given"),
        ("ALLOWED_HOSTS", "room example", "expected a name or address"),
        ("ALLOWED_HOSTS", "room..example", "expected a name or address"),
        ("ALLOWED_HOSTS", "[::1", "expected a name or address"),
        ("ALLOWED_HOSTS", "[1.2.3.4]", "expected a name or address"),
        ("ALLOWED_HOSTS", "*", "expected a name or address"),
        ("ALLOWED_HOSTS", "schüle.example", "expected it to begin with xn--"),
        ("DATABASE_URL", "/var/lib/classroom.sqlite3", "it is not a URL: expected sqlite:////folder/file or postgresql://"),
        ("DATABASE_URL", "mysql://u:secret@host/db", "mysql is not supported"),
        ("DATABASE_URL", "postgresql+asyncpg://host/db", "asyncpg is not supported"),
        ("DATABASE_URL", "sqlite://classroom.sqlite3", "a file and no host"),
        ("DATABASE_URL", "sqlite:///", "it names no file"),
        ("DATABASE_URL", "sqlite:///:memory:", "it names no file"),
        ("DATABASE_URL", "postgresql://", "it names no database"),
        ("DATABASE_URL", "ada:secret://host/db", "it is not a URL"),
        ("DATABASE_URL", "postgresql://ada:word@secret@host/db", "an @ in a password is written as %40"),
        ("DATABASE_URL", "postgresql://ada:word@1/secret@host/db", "an @ in a password is written as %40"),
        ("DATABASE_URL", "postgresql://ada:secret/db", "its port is no number"),
        ("DATABASE_URL", "postgresql://ada@[::1]:secret/db", "its port is no number"),
        ("RUNNER_SOCKET", "/run/" + 103 * "x", "at most 107 bytes"),
        ("WEB_UID", "210999", "210999 is one of the 1000 uids from 210000 on"),
        ("SOLUTIONS", "after-0-tries", "after-0-tries"),
    ],
)
def test_a_value_that_cannot_be_right_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str, why: str) -> None:
    monkeypatch.delenv("GRADROOM_FIRST_UID", raising=False)  # tests in parallel have uids of their own
    monkeypatch.setenv(f"GRADROOM_{name}", value)
    with pytest.raises(SettingsError, match=f"^GRADROOM_{name}: .*{re.escape(why)}") as caught:
        load_settings()
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TRUSTED_PROXIES", "127.0.0.1,172.16.0.0/12,::1,fd00::/8"),
        ("ALLOWED_HOSTS", "localhost,10.0.0.2,[fd00::2],Room.Example,my_host,xn--schle-lva.example,room.example."),
        ("DATABASE_URL", "sqlite:////srv/classroom.sqlite3"),
        ("DATABASE_URL", "postgresql://gradroom:pass#w/rd@host:5432/classroom?sslmode=require"),
        ("DATABASE_URL", "postgresql:///classroom?host=/run/postgresql"),
        ("DATABASE_URL", "postgresql://ada@server:word@[::1]:5432/classroom"),
        ("RUNNER_SOCKET", "/run/" + 102 * "x"),
        ("WEB_UID", "0"),
        ("WEB_UID", "211000"),
    ],
)
def test_a_value_that_can_be_right_is_accepted(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.delenv("GRADROOM_FIRST_UID", raising=False)
    monkeypatch.setenv(f"GRADROOM_{name}", value)
    load_settings()


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.setting_groups.database_address.find_spec", lambda name: None)
    monkeypatch.setenv("GRADROOM_DATABASE_URL", "postgresql://host/classroom")
    with pytest.raises(SettingsError, match=r"^GRADROOM_DATABASE_URL: PostgreSQL needs its driver: pip install 'gradroom\[postgresql\]'"):
        load_settings()


def test_numbers_that_contradict_each_other_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADROOM_QUEUE_RUNS_PER_LEARNER", "9")
    monkeypatch.setenv("GRADROOM_QUEUE_RUNS", "8")
    monkeypatch.setenv("GRADROOM_CONCURRENCY_PER_LEARNER", "4")
    monkeypatch.setenv("GRADROOM_CONCURRENCY", "2")
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert str(caught.value).splitlines() == [
        "GRADROOM_QUEUE_RUNS_PER_LEARNER: expected at most 8, which is GRADROOM_QUEUE_RUNS (it is 9)",
        "GRADROOM_CONCURRENCY_PER_LEARNER: expected at most 2, which is GRADROOM_CONCURRENCY (it is 4)",
    ]


def test_a_number_is_not_compared_with_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings().queue_runs_per_address == 100
    monkeypatch.setenv("GRADROOM_QUEUE_RUNS", "50")
    assert load_settings().queue_runs == 50


def test_a_secret_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADROOM_OPERATOR_TOKEN", "hunter2")
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert "GRADROOM_OPERATOR_TOKEN" in str(caught.value)
    assert "hunter2" not in str(caught.value)
    monkeypatch.setenv("GRADROOM_OPERATOR_TOKEN", "hunter2hunter2hunter2")
    assert "hunter2" not in repr(load_settings())


def test_settings_cannot_change() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings.__setattr__(Settings(), "concurrency", 3)


def test_a_slip_of_spelling_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADROOM_CONCURENCY", "3")
    monkeypatch.setenv("GRADROOM_CONCURRENCY", "3")
    assert find_unknown() == ["GRADROOM_CONCURENCY"]


@pytest.mark.parametrize(
    ("mebibytes", "begun", "reserved"),
    [(900, 0, 0), (2048, 1, 0), (4096, 3, 1), (8192, 8, 2), (24_105, 35, 2), (262_144, 64, 2)],
)
def test_no_more_is_promised_to_runs_than_there_is(monkeypatch: pytest.MonkeyPatch, mebibytes: int, begun: int, reserved: int) -> None:
    monkeypatch.setattr(app.settings, "memory_bytes", lambda: mebibytes * MEBIBYTE)
    settings = Settings(concurrency=2, spares=4)
    assert (settings.begun, settings.reserved_runs) == (begun, reserved)
    assert (begun + 2 * reserved) * settings.limits.promised_bytes <= mebibytes * MEBIBYTE
    assert (settings.memory_shortage is not None) == (begun < 2)


def test_how_few_runs_fit_is_said_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.settings, "memory_bytes", lambda: 2048 * MEBIBYTE)
    assert "while that many runs go on, no other run can begin" in (Settings(concurrency=2, spares=4).memory_shortage or "")


def test_an_operator_can_let_fewer_runs_begin_and_not_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.settings, "memory_bytes", lambda: 8192 * MEBIBYTE)
    fewer, more = (Settings(concurrency=2, spares=4, begun_runs=runs) for runs in (3, 30))
    assert (fewer.begun, fewer.memory_shortage) == (3, None)
    assert more.begun == 8
    assert "only 8 of the 30" in (more.memory_shortage or "")
