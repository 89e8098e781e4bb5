"""Writes the API's types for the page's scripts, from the app's OpenAPI document. Only TypeScript reads the file."""

import subprocess

from bootstrap import node
from bootstrap.assets import install_packages
from bootstrap.places import API_TYPES, NODE_MODULES, ROOT, STATIC, VENV_PYTHON
from bootstrap.report import step
from bootstrap.stamp import Stamp, digest_of_files

# An app without lessons: it opens no store of anybody's work, because its state folder is a new one.
DOCUMENT = """
import json, tempfile
from pathlib import Path
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Course
from app.main import create_app
from app.settings import Settings

with tempfile.TemporaryDirectory() as folder:
    print(json.dumps(create_app(Settings(state_folder=Path(folder)), catalogue=Catalogue(Course(()))).openapi()))
"""


def write() -> None:
    """Write the file, unless the app and the generator are the same as when it was written."""
    install_packages()
    program = STATIC / "api-types.mjs"
    stamp = Stamp(NODE_MODULES / ".stamp-api-types", digest_of_files([*ROOT.glob("app/**/*.py"), program]), DOCUMENT)
    if stamp.holds() and API_TYPES.is_file():
        return
    step("Writing the scripts' types of the API")
    stamp.remove()
    document = subprocess.run([VENV_PYTHON, "-c", DOCUMENT], check=True, capture_output=True, cwd=ROOT).stdout
    subprocess.run([node.find().node, str(program), str(API_TYPES)], input=document, check=True, cwd=ROOT, env=node.environment())
    stamp.write()
