"""A record of a kind that no table knows, sent by a runtime: told as unknown by the runner, the lesson checker and the API alike."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Raw

from app.authoring.checking.compare import compare
from app.lessons.model.model import Cell
from app.lessons.model.shows import Shows
from app.main import create_app
from app.protocol.records.unknown import UnknownRecord
from app.protocol.run import RunResult
from app.runner.socket_runner import SocketRunner
from app.settings import load_settings
from tests.own_course import load_own_course
from tests.programs import BARE_RUNNER, Programs, running_programs
from tests.web.conftest import client_of

SOURCE = "print('before')\nshow_hologram()\nprint('after')"
HOLOGRAM = {
    "kind": "hologram",
    "id": "hologram-1",
    "span": {"cell": None, "line": 1, "column": None, "end_line": None, "end_column": None},
    "refs": [],
    "title": "seen from three sides",
    "stdout_offset": 7,
    "depth": [1, {"far": None}],
}


@pytest.fixture(scope="module")
def bare() -> Iterator[Programs]:
    with running_programs(runner=BARE_RUNNER) as running:
        yield running


def test_the_runner_tells_it_in_its_place_and_in_the_result(bare: Programs) -> None:
    events = bare.events(SOURCE)
    (event,) = (event for event in events if isinstance(event, Raw))
    assert json.loads(bytes(event)) == HOLOGRAM
    (last,) = (event for event in events if isinstance(event, RunResult))
    assert [json.loads(bytes(record)) for record in last.records] == [HOLOGRAM]
    (record,) = bare.run(SOURCE).records
    assert isinstance(record, UnknownRecord)


def test_the_checker_calls_it_unknown(bare: Programs) -> None:
    (last,) = (event for event in bare.events(SOURCE) if isinstance(event, RunResult))
    cell = Cell(id="a", filename="a.py", source=SOURCE, line=1)
    ((_, message),) = compare(cell, Shows(lines={"": 2}, stdout=("before", "after")), last)
    assert message == "records: expected none; got unknown record hologram"


@pytest.mark.anyio
async def test_the_api_passes_it_on_as_it_is(bare: Programs, tmp_path: Path) -> None:
    app = create_app(load_settings(state_folder=tmp_path), SocketRunner(bare.socket), load_own_course())
    async with client_of(app) as client:
        answer = await client.post("/api/runs", json={"source": SOURCE})
        stream = await client.post("/api/runs", json={"source": SOURCE}, headers={"accept": "text/event-stream"})
    assert answer.json()["records"] == [HOLOGRAM]
    (data,) = (part for part in stream.text.split("\n\n") if "event: record" in part)
    assert json.loads(data.partition("data: ")[2].partition("\n")[0]) == HOLOGRAM
