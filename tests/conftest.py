"""Fixtures and hooks that all tests share: the browser, the runners, and the order of tests."""

import gc
import os
import sys
from collections.abc import Generator, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
import structlog
from xdist.remote import Producer

from app.machine import count_cores
from app.runtimes.specs import SPECS
from tests.browsers import find_headless
from tests.one_worker import SharingFiles
from tests.postgresql import KINDS, PostgresServer, find_programs, url_of_kind
from tests.programs import Programs, running_programs
from tests.runtimes.children import Children
from tests.sandbox.ordinary_user import as_ordinary_user
from tests.warm_gradroom import WarmGradroom

# hundreds of processes import the same modules: without compiled files, each would compile them again
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# a server that a test starts lives for seconds, so no second zygote warms up beside its first runs, unless a test says so
os.environ.setdefault("GRADROOM_ZYGOTE_EARLY", "false")


def pytest_configure(config: pytest.Config) -> None:
    """Give each worker its own uids: the kernel counts the threads of a uid together, and lets its processes send each other signals."""
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):
        first_uid = int(os.environ.get("GRADROOM_FIRST_UID", "210000"))
        os.environ["GRADROOM_FIRST_UID"] = str(first_uid + 10_000 * int(worker.removeprefix("gw")))


def pytest_xdist_auto_num_workers() -> int:
    """Return one more than there are processors, because tests also wait. Every worker imports all tests and starts servers of its own."""
    return count_cores() + 1


class RotatedFolder(pytest.Dir):
    """The folder of all tests, with which each worker begins at another place.

    pytest rewrites a file when it is first collected, and stores it: no other worker rewrites it, unless all of them collect it at once.
    """

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        entries = list(super().collect())
        worker, count = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw")), int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        begin = len(entries) * worker // count
        return entries[begin:] + entries[:begin]


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Dir | None:
    if path != Path(__file__).parent or "PYTEST_XDIST_WORKER" not in os.environ:
        return None
    folder: pytest.Dir = RotatedFolder.from_parent(parent, path=path)
    return folder


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> SharingFiles | None:
    return SharingFiles(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Freeze what is imported and collected: collections would spend a third of the time on visiting it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests. The hostile suites come first: one worker needs minutes for them, while the others run all other tests.

    Browser tests come last: Playwright keeps an event loop running in this thread, where no other test could start its own. The longest of
    their files come first, so that no worker has much to do when there is nothing left for the others. In bytes: few tests may take long.
    """
    paths = {path: number for number, path in enumerate(sorted({item.path for item in items}))}  # one order for all workers
    sizes = {path: path.stat().st_size for path in paths if "browser" in path.parts}
    items.sort(key=lambda item: (item.path.name != "test_hostile.py", item.path in sizes, -sizes.get(item.path, 0), paths[item.path]))
    for item in items:
        for mark in item.iter_markers("runtime"):
            if not SPECS[mark.args[0]].installed:
                item.add_marker(pytest.mark.skip(reason=f"{mark.args[0]} is not installed"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if find_programs() is None:
        terminalreporter.write_line("NOT TESTED: POSTGRESQL. To test it too: apt-get install postgresql-15", yellow=True, bold=True)
    if find_spec("ray") is None:
        terminalreporter.write_line("NOT TESTED: RAY. To test it too: make test EXTRAS=ray PYTEST=tests/cluster", yellow=True, bold=True)
    absent = [spec.extra for spec in SPECS.values() if spec.extra and not spec.installed]
    if absent:
        line = f"NOT TESTED: {' AND '.join(absent).upper()}. To test it too: make test EXTRAS={','.join(absent)}"
        terminalreporter.write_line(line, yellow=True, bold=True)


@pytest.fixture(scope="session", autouse=True)
def plain_log() -> None:
    """Print log lines that tests can capture. The default draws tracebacks with all their variables, which takes a second each."""
    structlog.configure(processors=[structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()])


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Return the path of a Chromium. Without one, browser tests are skipped, and with CI=true they fail."""
    path = find_headless() or playwrights_own()
    if path is None and os.environ.get("CI"):
        pytest.fail("CI needs Chromium: apt-get install chromium")
    if path is None:
        pytest.skip("there is no Chromium: apt-get install chromium")
    return path


def playwrights_own() -> str | None:
    """Return the path of Playwright's own download, if it is there."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server. Without its programs, tests with it are skipped, and with CI=true they fail."""
    programs = find_programs()
    if programs is None and os.environ.get("CI"):
        pytest.fail("CI needs PostgreSQL: apt-get install postgresql-15")
    if programs is None:
        pytest.skip("there is no PostgreSQL: apt-get install postgresql-15")
    server = PostgresServer(programs)
    yield server
    server.close()


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database: for each test once in SQLite, and once in PostgreSQL."""
    return url_of_kind(request, tmp_path)


@pytest.fixture(scope="session")
def programs() -> Iterator[Programs]:
    """Yield a runner with the full sandbox, shared by all tests that only run programs in it."""
    with running_programs() as running:
        yield running


@pytest.fixture(scope="session")
def warm_gradroom() -> Iterator[WarmGradroom]:
    warm = WarmGradroom()
    yield warm
    warm.close()


@pytest.fixture(scope="session")
def ordinary_programs() -> Iterator[Programs]:
    """Yield a runner of an ordinary user: it has no uids for runs, and no control groups."""
    with running_programs(as_ordinary_user()) as running:
        yield running


@pytest.fixture(scope="session")
def children() -> Iterator[Children]:
    """Yield children of a process that has warmed up the torch runtime, without a sandbox."""
    started = Children()
    yield started
    started.close()
