"""What compose.yaml promises."""

from tests.container.options import load_services, run_options

SERVICES = load_services()


def test_every_key_has_an_option_of_the_command_line() -> None:
    assert all(run_options(service) for service in SERVICES.values())


def test_web_is_an_ordinary_user_without_capabilities() -> None:
    web = SERVICES["web"]
    assert web["user"] == "10001:10001"
    assert web["cap_drop"] == ["ALL"]
    assert "cap_add" not in web


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


def test_they_share_the_folder_of_the_socket_and_nothing_else() -> None:
    assert set(SERVICES["web"]["volumes"]) & set(SERVICES["runner"]["volumes"]) == {"socket:/run/gradroom"}
    assert len(SERVICES["runner"]["volumes"]) == 1
