"""Runs smoke journeys in the browsers that `make test` does not use: `python -m tests.other_browsers [WORD...]`, or `make browsers`.

Words choose journeys by their names. Ends with status 1 if a journey failed in an installed browser, and prints what was not tried.
"""

import logging
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog

from app.main import create_app
from app.settings import Settings
from tests.browser.site import serving
from tests.other_browsers.driver import Driver, NotOffered
from tests.other_browsers.ear import Ear
from tests.other_browsers.firefox import running_firefox
from tests.other_browsers.journeys import JOURNEYS, Journey
from tests.other_browsers.visit import Visit
from tests.other_browsers.webkit import running_webkit
from tests.programs import running_programs

BROWSERS = {"Firefox": running_firefox, "WebKitGTK": running_webkit}
OK, FAILED, NOT_TRIED = "ok", "FAILED", "not tried"


@contextmanager
def running_site(heard: list[str]) -> Iterator[str]:
    """Yield the address of the app with the real runner."""
    with running_programs() as programs, tempfile.TemporaryDirectory(prefix="gradroom-") as state:
        app = create_app(Settings(state_folder=Path(state), runner_socket=programs.socket))
        app.add_middleware(Ear, heard=heard)
        with serving(app) as address:
            yield address


def attempt(journey: Journey, visit: Visit) -> tuple[str, str]:
    """Return the journey's result and its reason."""
    try:
        visit.begin()
        journey(visit)
        assert not visit.heard, f"the page told: {visit.heard}"
    except NotOffered as reason:
        return NOT_TRIED, str(reason)
    except Exception as reason:  # also if a driver does not answer: the table shows it, and the next journey begins anew
        return FAILED, f"{type(reason).__name__}: {reason}"
    return OK, ""


def walk(driver: Driver | None, journeys: list[Journey], site: str, heard: list[str]) -> list[tuple[str, str]]:
    if driver is None:
        return [(NOT_TRIED, "it is not installed")] * len(journeys)
    outcomes = []
    for journey in journeys:
        outcomes.append(attempt(journey, Visit(driver, site, heard)))
        print(f"{driver.name}: {journey.__name__}: {': '.join(filter(None, outcomes[-1]))}", file=sys.stderr, flush=True)
    return outcomes


def main(words: list[str]) -> int:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    journeys = [journey for journey in JOURNEYS if not words or journey.__name__ in words]
    columns: dict[str, list[tuple[str, str]]] = {}
    heard: list[str] = []
    with running_site(heard) as site:
        for name, running in BROWSERS.items():
            with running() as driver:
                title = f"{name} {driver.version}" if driver else name
                columns[title] = walk(driver, journeys, site, heard)
    print_table(journeys, columns)
    return int(any(outcome == FAILED for column in columns.values() for outcome, _ in column))


def print_table(journeys: list[Journey], columns: dict[str, list[tuple[str, str]]]) -> None:
    """Print the journeys by browser, then the reasons."""
    wide = max(len(journey.__doc__ or "") for journey in journeys)
    print(f"\n{'':{wide}}  " + "  ".join(columns))
    for number, journey in enumerate(journeys):
        print(f"{journey.__doc__:{wide}}  " + "  ".join(f"{column[number][0]:{len(title)}}" for title, column in columns.items()))
    for title, column in columns.items():
        reasons = {f"{outcome}: {reason}" for outcome, reason in column if reason}
        print(*(f"{title}: {reason}" for reason in sorted(reasons)), sep="\n", end="\n" if reasons else "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
