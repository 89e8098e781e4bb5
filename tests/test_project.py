"""The project as a whole: what its files may say, and what is pinned. Who may import whom is checked by `make check`."""

import ast
import re
import subprocess
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from bootstrap import libraries
from tests.one_test import in_one_test
from tests.programs import Programs

ROOT = Path(__file__).resolve().parent.parent
PINS = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if line and not line.startswith("#"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

# Put together here so that this file does not hold what it looks for.
MACHINE_PATHS = re.compile(r"/(?:work|root|opt|home)/(?:" + "main|shared|fresh|wheels|pypi|user|\\." + r")[\w./-]*")
REGISTRY_HOSTS = re.compile(
    r"(?:registry\.npm" + r"js|npm" + r"mirror|files\.python" + r"hosted|pypi\.(?:org|python)|deb\.debian|mirrors?\.)[\w.-]*"
)


def tracked_files() -> list[Path]:
    """The text files that git knows, new ones included, or all files where there is no git."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [ROOT / name for name in listing.split("\0") if name]
    return [file for file in files if file.is_file() and b"\0" not in file.read_bytes()[:4096]]


def find(pattern: re.Pattern[str], files: list[Path]) -> list[str]:
    return [
        f"{file.relative_to(ROOT)}:{number}: {match[0]}"
        for file in files
        for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1)
        if (match := pattern.search(line))
    ]


def test_no_file_names_a_registry() -> None:
    assert find(REGISTRY_HOSTS, tracked_files()) == []


def test_no_file_names_a_path_of_one_machine() -> None:
    assert find(MACHINE_PATHS, tracked_files()) == []


def test_the_npm_lock_file_has_no_download_addresses() -> None:
    lines = (ROOT / "package-lock.json").read_text().splitlines()
    assert [line for line in lines if '"resolved"' in line] == []


def test_every_npm_package_is_pinned() -> None:
    assert (ROOT / "package-lock.json").is_file()
    assert re.search(r'"integrity": "sha512-', (ROOT / "package-lock.json").read_text())


def required(name: str, extras: frozenset[str], seen: set[tuple[str, str]]) -> set[str]:
    """The names of all installed distributions that `name` with these extras draws in on this machine."""
    names: set[str] = set()
    for line in distribution(name).requires or ():
        requirement = Requirement(line)
        if not any(applies(requirement, extra) for extra in extras | {""}):
            continue
        child = canonicalize_name(requirement.name)
        key = (child, ",".join(sorted(requirement.extras)))
        names.add(child)
        if key not in seen:
            seen.add(key)
            names |= required(child, frozenset(requirement.extras), seen)
    return names


def applies(requirement: Requirement, extra: str) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def test_every_python_distribution_is_pinned_and_installed_so() -> None:
    names = required("gradroom", frozenset({"dev"}), set())
    installed = {name: Version(distribution(name).version).public for name in names}
    assert installed == {name: PINS.get(name) for name in names}


def test_versions_stand_in_one_place() -> None:
    extras = PROJECT["optional-dependencies"].values()
    versioned = [line for lines in (PROJECT["dependencies"], *extras) for line in lines if Requirement(line).specifier]
    assert versioned == [f"torch=={PINS['torch']}"]


def test_pins_hold_no_address_and_no_path() -> None:
    assert [name for name, version in PINS.items() if not re.fullmatch(r"[a-z0-9-]+==[\w.]+", f"{name}=={version}")] == []


def test_what_is_forked_for_a_learner_has_no_web_framework_and_no_database(programs: Programs) -> None:
    modules = programs.run("import sys\nprint(*sys.modules)").stdout.split()
    assert "torch" in modules
    assert {name.partition(".")[0] for name in modules} & {
        "fastapi",
        "httpx",
        "jinja2",
        "pydantic",
        "sqlalchemy",
        "starlette",
        "uvicorn",
    } == set()


def test_each_package_says_what_it_is_for_and_nothing_else() -> None:
    for file in (ROOT / "app").rglob("__init__.py"):
        body = ast.parse(file.read_text()).body
        assert len(body) == 1 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant), file


@pytest.mark.parametrize("name", ["utils", "helpers", "common", "base", "manager", "misc"])
def test_no_module_has_a_name_that_says_nothing(name: str) -> None:
    assert [str(file) for folder in ("app", "bootstrap") for file in (ROOT / folder).rglob(f"{name}.py")] == []


TEMPLATE = ROOT / "app" / "authoring" / "template"  # lessons, which authors begin with
MODULES = [file for file in sorted((ROOT / "app").rglob("*.py")) if file.name != "__init__.py" and not file.is_relative_to(TEMPLATE)]


def test_no_two_classes_have_one_name() -> None:
    trees = [(file, ast.parse(file.read_text())) for file in MODULES]
    assert find_shared((node.name, file) for file, tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)) == {}


def find_shared(named: Iterable[tuple[str, Path]]) -> dict[str, list[str]]:
    """The names that more than one thing has, and the files of those things."""
    found = defaultdict(list)
    for name, file in named:
        found[name].append(str(file.relative_to(ROOT)))
    return {name: files for name, files in found.items() if len(files) > 1}


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_the_commands_of_the_documents_exist(document: str) -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z]+)\b", "\n".join(code_of((ROOT / document).read_text()))))
    assert named
    assert named <= targets


def code_of(markdown: str) -> list[str]:
    """The fenced and the inline code of a document."""
    return re.findall(r"```.*?```|`[^`\n]+`", markdown, re.DOTALL)


DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


@in_one_test("document", DOCUMENTS)
def test_the_links_of_the_documents_lead_somewhere(document: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]+`", "", document.read_text(), flags=re.DOTALL)
    targets = [target for target in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in target]
    assert [target for target in targets if not (document.parent / target).exists()] == []


@in_one_test("document", DOCUMENTS)
def test_the_links_to_sections_lead_to_a_heading(document: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]+`", "", document.read_text(), flags=re.DOTALL)
    links = [(document.parent / file if file else document, section) for file, section in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", text)]
    local = [(file, section) for file, section in links if file.suffix == ".md" and "://" not in str(file)]
    assert [section for file, section in local if section not in sections_of(file)] == []


def sections_of(document: Path) -> set[str]:
    """The names by which links reach the headings of a document, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", document.read_text(), flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_image_has_the_libraries_that_set_up_asks_for() -> None:
    words = (ROOT / "Dockerfile").read_text().split()
    assert [package for package in libraries.PACKAGES.values() if package not in words] == []
