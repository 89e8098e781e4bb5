"""What a graph of 2,000 nodes costs a page in headless Chromium: from its arrival until the folded picture can be used, and then each step.

Times are the page's own. "Task": the longest that its main thread was busy without a pause, of those that Chromium reports (50 ms or more).
"""

import asyncio
import statistics
from typing import Any

from playwright.async_api import Page

from tests.bench.figures import say
from tests.bench.headless import using_chromium
from tests.bench.plan import Plan
from tests.bench.server import Server
from tests.bench.worker import Worker

PROGRAM = """
import torch
from torch import nn
from torchviz import make_dot

net = nn.Sequential(*[layer for _ in range(285) for layer in (nn.Linear(4, 4), nn.ReLU())])
make_dot(net(torch.randn(2, 4)).mean(), params=dict(net.named_parameters()))
"""
ZOOM_STEPS = 8

# Records when the first bytes of the graph came, when a graph first had its picture in a frame, and every long task.
WATCH = """
window.bench = {arrived: 0, drawn: 0, tasks: []};
const note = ({startTime, duration}) => bench.tasks.push({startTime, duration});
new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({type: 'longtask'});
const read = ReadableStreamDefaultReader.prototype.read;
ReadableStreamDefaultReader.prototype.read = async function (...args) {
  const chunk = await read.apply(this, args);
  if (!bench.arrived && !chunk.done && chunk.value.length > 10000) bench.arrived = performance.now();
  return chunk;
};
const frame = () => {
  if (document.querySelector('graph-view svg.graph')) requestAnimationFrame(() => setTimeout(() => (bench.drawn = performance.now())));
  else requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
"""

# Measures what one action takes until the frame after it is drawn.
ACT = """async ([selector, key]) => {
  const start = performance.now();
  const target = document.querySelector(selector);
  if (key) target.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  else target.click();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - start;
}"""


async def measure_graph(server: Server, _: Worker, plan: Plan) -> dict[str, Any]:
    """Return the figures, or the reason why there are none if there is no Chromium."""
    async with using_chromium() as browser:
        if browser is None:
            return {"skipped": "there is no Chromium"}
        rounds = [await _measure_once(await browser.new_page(), server) for _ in range(max(2, plan.rounds))]
    figures: dict[str, Any] = {name: round(statistics.median(each[name] for each in rounds), 1) for name in rounds[0]}
    return figures | {"rounds": len(rounds)}


async def _measure_once(page: Page, server: Server) -> dict[str, float]:
    await page.goto(f"http://{server.host}:{server.port}/en/playground")
    editor = page.locator(".cm-content").first
    await editor.click()
    await page.keyboard.press("Control+a")
    await page.keyboard.insert_text(PROGRAM)
    await page.evaluate(WATCH)
    await page.keyboard.press("Shift+Enter")
    await page.locator("graph-view svg.graph").wait_for(timeout=60_000)
    await asyncio.sleep(0.5)  # the page's work after that counts, too
    seen = await page.evaluate("bench")
    nodes = await page.evaluate("document.querySelector('graph-view').record.nodes.length")
    say(f"graph page: {nodes} nodes")
    figures = {
        "nodes": float(nodes),
        "arrival_to_interactive_ms": seen["drawn"] - seen["arrived"],
        "longest_task_ms": _longest(seen["tasks"], seen["arrived"]),
    }
    figures["zoom_folded_ms"] = await _zoom(page)
    await page.evaluate("bench.tasks.length = 0")
    figures["unfold_whole_ms"] = await page.evaluate(ACT, [".graph-scenes button:last-child", ""])
    await asyncio.sleep(0.3)
    figures["unfold_whole_task_ms"] = _longest(await page.evaluate("bench.tasks"), 0)
    await page.evaluate("bench.tasks.length = 0")
    figures["zoom_whole_ms"] = await _zoom(page)
    figures["fit_whole_ms"] = await page.evaluate(ACT, ["graph-stage .stage-area", "0"])
    figures["pan_whole_ms"] = statistics.median(
        [await page.evaluate(ACT, ["graph-stage .stage-area", "ArrowDown"]) for _ in range(ZOOM_STEPS)]
    )
    await asyncio.sleep(0.3)
    figures["whole_task_ms"] = _longest(await page.evaluate("bench.tasks"), 0)
    await page.close()
    return figures


async def _zoom(page: Page) -> float:
    """Return the median of a zoom step, in and out again."""
    keys = ["-"] * ZOOM_STEPS + ["+"] * ZOOM_STEPS
    steps_ms: list[float] = [await page.evaluate(ACT, ["graph-stage .stage-area", key]) for key in keys]
    return statistics.median(steps_ms)


def _longest(tasks: list[dict[str, float]], since: float) -> float:
    return max((task["duration"] for task in tasks if task["startTime"] + task["duration"] > since), default=0.0)
