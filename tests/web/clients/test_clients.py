"""Generators make whole clients from the OpenAPI document, and these work."""

import asyncio
import json
import os
import subprocess
from pathlib import Path

import msgspec
import pytest

from bootstrap.places import CLIENTS_VENV
from tests.web.conftest import MakeApp
from tests.web.exercises import make_catalogue, make_grading
from tests.web.fake_runner import FakeRunner, make_events, make_result
from tests.web.serving import serving

HERE = Path(__file__).parent
BIN = CLIENTS_VENV / "bin"
MODELS = "models.py"
READ_MODELS = "import models, sys; print(models.RunResult.model_validate_json(sys.stdin.read()).stdout)"


@pytest.fixture(scope="module", autouse=True)
def _generators() -> None:
    if not BIN.exists() and os.environ.get("CI"):
        pytest.fail("CI needs the generators: python3 -m bootstrap clients")
    if not BIN.exists():
        pytest.skip("there are no generators: python3 -m bootstrap clients")


@pytest.fixture
def document(make_app: MakeApp, tmp_path: Path) -> Path:
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps(make_app().openapi()))
    return file


def run(folder: Path, *command: str | Path, text: str | None = None) -> str:
    """Run a program of the generators' environment in `folder`, and return its output."""
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    done = subprocess.run(
        [BIN / command[0], *command[1:]], cwd=folder, env=environment, input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_openapi_python_client_makes_a_client_that_works(make_app: MakeApp, document: Path) -> None:
    folder = document.parent
    made = ("--path", document, "--output-path", folder / "client", "--meta", "none", "--config", HERE / "config.yml")
    run(folder, "openapi-python-client", "generate", *made, "--fail-on-warning")
    app = make_app(FakeRunner(make_events(), make_grading()), make_catalogue())

    async def scenario() -> None:
        async with serving(app) as port:
            command = [BIN / "python", HERE / "use_client.py", f"http://127.0.0.1:{port}"]
            using = await asyncio.create_subprocess_exec(
                *command, env={**os.environ, "PYTHONPATH": str(folder)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            output, _ = await using.communicate()
            assert using.returncode == 0, output.decode()

    asyncio.run(scenario())


def test_datamodel_codegen_makes_models_that_read_a_result(document: Path) -> None:
    folder = document.parent
    options = ("--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin")
    run(folder, "datamodel-codegen", "--input", document, "--output", folder / MODELS, *options)
    assert run(folder, "python", "-c", READ_MODELS, text=msgspec.json.encode(make_result("2\n")).decode()) == "2\n\n"
