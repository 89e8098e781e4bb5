"""The metrics of several web processes in one answer."""

import asyncio
from pathlib import Path

import httpx
import pytest
import uvicorn
from prometheus_client.parser import text_string_to_metric_families

from app.labelled_metrics import label_metrics
from app.web.peers import OWN_METRICS, Peers
from tests.patience import PATIENCE_SECONDS
from tests.web.conftest import MakeApp, client_of

pytestmark = pytest.mark.anyio
COUNTED = """# HELP gradroom_web_runs_total Runs.
# TYPE gradroom_web_runs_total counter
gradroom_web_runs_total{ending="finished"} %s
"""


def values_of(text: str, name: str) -> dict[str, float]:
    """The values of a metric by process."""
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples if sample.name == name]
    return {sample.labels["process"]: sample.value for sample in samples if sample.labels.get("ending", "finished") == "finished"}


def test_each_figure_is_labelled_with_its_process_and_a_family_is_there_once() -> None:
    text = label_metrics("process", {"web-1": COUNTED % 3, "web-2": COUNTED % 4}).decode()
    assert text.count("# TYPE gradroom_web_runs_total counter") == 1
    assert values_of(text, "gradroom_web_runs_total") == {"web-1": 3.0, "web-2": 4.0}


async def test_one_process_answers_for_all(make_app: MakeApp, tmp_path: Path) -> None:
    sockets = {name: tmp_path / f"{name}.sock" for name in ("web-1", "web-2", "web-3")}
    other = make_app()
    server = uvicorn.Server(uvicorn.Config(other, uds=str(sockets["web-2"]), log_config=None, lifespan="off"))
    serving = asyncio.create_task(server.serve())
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not server.started:
            await asyncio.sleep(0.01)
    app = make_app(peers=Peers("web-1", {name: sockets[name] for name in ("web-2", "web-3")}, "localhost"))
    try:
        async with client_of(other) as second, client_of(app) as first:
            for client, count in ((first, 1), (second, 2)):
                for _ in range(count):
                    await client.post("/api/runs", json={"source": "x"})
            text = (await first.get("/metrics")).text
    finally:
        server.should_exit = True
        await serving
    assert values_of(text, "gradroom_web_runs_total") == {"web-1": 1.0, "web-2": 2.0}  # web-3 does not answer
    assert text.count("\ngradroom_store_learners ") == 1


async def test_the_own_metrics_have_no_label_and_nothing_of_the_store_as_a_whole(client: httpx.AsyncClient) -> None:
    text = (await client.get(OWN_METRICS)).text
    assert "gradroom_web_open_requests 1.0" in text
    assert "process=" not in text
    assert "gradroom_store_learners" not in text
