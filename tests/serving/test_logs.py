"""The log, as another process would read it."""

import functools
import json
import subprocess
import sys

import pytest

PROGRAM = """
import logging, sys
import structlog
from app.serving.logs import configure_logs

configure_logs("web", sys.argv[1], "info")
log = structlog.get_logger()
log.debug("unseen")
log.info("request", path="/中", ms=1.5)
logging.getLogger("some.library").warning("careful %s", "now")
source = "a learner's " + "program"
for given in sys.argv[2:]:
    log.info("request", path=given)
    logging.getLogger("some.library").warning(given)
    try:
        raise ZeroDivisionError(given)
    except ZeroDivisionError:
        log.exception("internal_error")
"""
CONTROLS = ("\x1b[2J", "\n", "\r", "\u202e", "\u2066", "\x9b", "\u2028", "\x7f")


@functools.cache
def logged(log_format: str, given: tuple[str, ...] = ("division",)) -> str:
    ended = subprocess.run((sys.executable, "-c", PROGRAM, log_format, *given), capture_output=True, text=True, check=True)
    assert ended.stdout == ""
    return ended.stderr


def test_json_is_one_object_a_line() -> None:
    request, library, _, _, error = map(json.loads, logged("json").splitlines())
    assert (request["event"], request["path"], request["level"], request["process"]) == ("request", "/中", "info", "web")
    assert request["timestamp"].endswith("Z")
    assert (library["event"], library["level"], library["process"]) == ("careful now", "warning", "web")
    assert "ZeroDivisionError" in error["exception"]


def test_the_console_is_readable_and_without_colours_in_a_file() -> None:
    text = logged("console")
    assert "request" in text
    assert "path=/中" in text
    assert "\x1b[" not in text


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_no_variable_of_a_traceback_is_logged(log_format: str) -> None:
    assert "a learner's program" not in logged(log_format)


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_no_control_character_is_written_raw(log_format: str) -> None:
    text = logged(log_format, tuple(f"/a{control}2026 forged" for control in CONTROLS))
    assert not any(line.startswith("2026 forged") for line in text.splitlines())
    assert all(one.isprintable() for line in text.split("\n") for one in line)
    assert text.count("2026 forged") == 3 * len(CONTROLS)
