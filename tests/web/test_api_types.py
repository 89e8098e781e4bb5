"""The scripts' types of the API are those of the OpenAPI document."""

import json
import subprocess
from pathlib import Path

import pytest

from app.settings import PROJECT
from bootstrap import node
from tests.web.conftest import MakeApp


def test_the_types_of_the_api_are_current(make_app: MakeApp, tmp_path: Path) -> None:
    found = node.from_path() or node.from_environment()
    if found is None or not (PROJECT / "node_modules" / "openapi-typescript").is_dir():
        pytest.skip("there is no Node.js with the front end's packages: make development")
    made = tmp_path / "api.d.ts"
    document = json.dumps(make_app().openapi())
    subprocess.run([found.node, "static/api-types.mjs", str(made)], input=document, text=True, check=True, cwd=PROJECT)
    assert made.read_text() == (PROJECT / "static/js/lib/api.d.ts").read_text(), "run: npm run api"
