"""What compose.yaml promises."""

from ipaddress import ip_address, ip_network

import pytest
from sqlalchemy.engine import make_url

from app.settings import Settings
from tests.container.options import ROOT, load_compose, load_services, run_options

SERVICES = load_services()
CADDYFILE = ROOT / "docs/caddy/Caddyfile"


def test_every_key_has_an_option_of_the_command_line() -> None:
    assert all(run_options(service) for service in SERVICES.values())


def test_web_is_an_ordinary_user_without_capabilities() -> None:
    web = SERVICES["web"]
    assert web["user"] == "10001:10001"
    assert web["cap_drop"] == ["ALL"]
    assert "cap_add" not in web


def test_web_migrates_an_old_database_before_it_serves() -> None:
    """Web migrates it, and no service before web does: the earlier web would still use the tables while they change."""
    assert "--migrate" in SERVICES["web"]["command"]
    assert "state:/var/lib/gradroom" in SERVICES["web"]["volumes"]
    assert '"serve", "--migrate"' in (ROOT / "Dockerfile").read_text()


def test_the_runner_has_no_network_and_four_capabilities() -> None:
    runner = SERVICES["runner"]
    assert runner["network_mode"] == "none"
    assert runner["cap_drop"] == ["ALL"]
    assert runner["cap_add"] == ["SETUID", "SETGID", "KILL", "CHOWN"]
    assert runner["mem_limit"]
    assert runner["pids_limit"]


def test_both_are_read_only_and_gain_no_privileges() -> None:
    for service in SERVICES.values():
        assert service["read_only"] is True
        assert service["security_opt"] == ["no-new-privileges:true"]


def test_who_writes_lessons_is_an_ordinary_user_on_this_machine_and_web_may_only_read_them() -> None:
    author = load_services({"COURSE_UID": "1234", "AUTHOR_PORT": "9001"})["author"]
    assert author["user"] == "1234:10001"
    assert author["cap_drop"] == ["ALL"] and "cap_add" not in author
    assert author["ports"] == ["127.0.0.1:9001:9001"]
    assert author["profiles"] == ["author"]
    assert "./course:/course:ro" in SERVICES["web"]["volumes"]
    assert "./course:/course" in author["volumes"] and "./course:/course" not in SERVICES["web"]["volumes"]


def test_they_share_the_folder_of_the_socket_and_nothing_else() -> None:
    assert set(SERVICES["web"]["volumes"]) & set(SERVICES["runner"]["volumes"]) == {"socket:/run/gradroom"}
    assert not set(SERVICES["caddy"]["volumes"]) & {*SERVICES["web"]["volumes"], *SERVICES["runner"]["volumes"]}
    assert len(SERVICES["runner"]["volumes"]) == 1


def test_caddy_comes_with_the_profile_class_only_and_may_do_nothing_but_listen() -> None:
    caddy = SERVICES["caddy"]
    assert caddy["profiles"] == ["class"]
    assert "profiles" not in SERVICES["web"] | SERVICES["runner"]
    assert caddy["cap_drop"] == ["ALL"]
    assert caddy["cap_add"] == ["NET_BIND_SERVICE"]
    assert caddy["mem_limit"]
    assert caddy["pids_limit"]


def test_caddy_has_the_files_of_the_build_that_web_has() -> None:
    web, caddy = (load_services({"EXTRAS": "jax"})[name] for name in ("web", "caddy"))
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert caddy["build"]["target"] == "caddy"
    assert caddy["build"]["args"].items() >= web["build"]["args"].items()
    assert f"AS caddy\nCOPY --from=files /opt/gradroom/static/build {caddy['environment']['CLASS_STATIC']}\n" in dockerfile
    assert "COPY --from=files /opt/gradroom/static static" in dockerfile
    assert "\nFROM ${BASE_IMAGE}\n" in dockerfile.partition("AS caddy")[2]  # the last stage, which is built without a target, is web's


def test_web_believes_caddy_and_nobody_else() -> None:
    composed = load_compose({"CLASS_NETWORK": "10.9.8"})
    address = composed["services"]["caddy"]["networks"]["default"]["ipv4_address"]
    trusted = Settings(trusted_proxies=composed["services"]["web"]["environment"]["GRADROOM_TRUSTED_PROXIES"]).trusted_proxies
    assert trusted == (address,) == ("10.9.8.200",)
    assert ip_address(address) in ip_network(composed["networks"]["default"]["ipam"]["config"][0]["subnet"])


def test_web_answers_to_the_name_of_the_class_and_to_its_health_check() -> None:
    services = load_services({"CLASS_HOST": "gradroom.example.org"})
    hosts = Settings(allowed_hosts=services["web"]["environment"]["GRADROOM_ALLOWED_HOSTS"]).allowed_hosts
    assert {"gradroom.example.org", "127.0.0.1"} <= set(hosts)
    assert services["caddy"]["environment"]["CLASS_HOST"] == "gradroom.example.org"


def test_caddy_gets_its_file_and_keeps_its_certificates() -> None:
    volumes = SERVICES["caddy"]["volumes"]
    assert "./docs/caddy/Caddyfile:/etc/caddy/Caddyfile:ro" in volumes
    assert "caddy:/data" in volumes
    assert CADDYFILE.is_file()
    assert f"--volume={CADDYFILE}:/etc/caddy/Caddyfile:ro" in run_options(SERVICES["caddy"])


def test_every_volume_that_a_service_names_is_declared() -> None:
    composed = load_compose()
    named = {volume.partition(":")[0] for service in composed["services"].values() for volume in service["volumes"]}
    assert {name for name in named if not name.startswith(".")} == set(composed["volumes"])


def test_nobody_but_web_and_the_backup_reaches_the_database_of_a_class() -> None:
    composed = load_compose()
    assert composed["networks"]["database"]["internal"] is True
    assert {name for name, service in SERVICES.items() if "database" in service.get("networks", ())} == {"web", "database", "backup"}
    assert SERVICES["database"]["profiles"] == SERVICES["backup"]["profiles"] == ["class"]
    assert SERVICES["database"]["image"] == SERVICES["backup"]["image"] == "docker.io/library/postgres:15"
    assert "ports" not in SERVICES["database"]


def test_web_uses_sqlite_unless_the_database_of_the_class_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for url, backend in (("", "sqlite"), ("postgresql://gradroom:secret@database/gradroom", "postgresql")):
        environment = load_services({"CLASS_DATABASE_URL": url})["web"]["environment"]
        monkeypatch.setenv("GRADROOM_DATABASE_URL", environment["GRADROOM_DATABASE_URL"])
        assert make_url(Settings().database).get_backend_name() == backend


def test_what_backs_up_may_read_the_key_of_the_cookies_and_write_nothing_but_backups() -> None:
    backup = SERVICES["backup"]
    assert backup["cap_add"] == ["DAC_READ_SEARCH"]
    assert [volume for volume in backup["volumes"] if not volume.endswith(":ro")] == ["backups:/backups"]
    assert (ROOT / "deploy/backup.sh").stat().st_mode & 0o111
