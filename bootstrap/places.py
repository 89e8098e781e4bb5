"""The paths that set-up uses in the project's folder."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints.txt"
PYPROJECT = ROOT / "pyproject.toml"
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / "bin" / "python"
CLIENTS_VENV = ROOT / ".venv-clients"
CLIENTS_REQUIREMENTS = ROOT / "tests" / "web" / "clients" / "requirements.txt"
PACKAGE_JSON = ROOT / "package.json"
PACKAGE_LOCK = ROOT / "package-lock.json"
NODE_MODULES = ROOT / "node_modules"
STATIC = ROOT / "static"
STATIC_BUILD = STATIC / "build"
API_TYPES = STATIC / "js" / "api.d.ts"
REFERENCE = STATIC / "reference.json"
FORMULAS = STATIC / "formulas.json"
LESSONS = ROOT / "lessons"
TITLES = STATIC / "titles.json"
