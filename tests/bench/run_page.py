"""Measures how long a learner waits for `print(1)` in headless Chromium: from pressing Shift+Enter to the frame with the output.

Times are the page's own: from the key event's timestamp.
"""

import statistics
from typing import Any

from playwright.async_api import Page

from tests.bench.headless import using_chromium
from tests.bench.plan import Plan
from tests.bench.server import Server
from tests.bench.worker import Worker

LESSON = "/en/backward-twice/sinh-bad"
CELL = "code-cell[data-cell=sinh-bad]"

# From the next press of Enter until a frame has the output of that run.
WATCH = """selector => void (window.bench = new Promise((resolve) => {
  const cell = document.querySelector(selector);
  const before = cell.cell.run.value.result?.id;
  const look = (pressed) => {
    const {result} = cell.cell.run.value;
    const output = cell.querySelector('.output')?.textContent ?? '';
    if (result && result.id !== before && output.includes(result.stdout.trim())) setTimeout(() => resolve(performance.now() - pressed));
    else requestAnimationFrame(() => look(pressed));
  };
  const hear = (event) => {
    if (event.key !== 'Enter') return;
    removeEventListener('keydown', hear, true);
    requestAnimationFrame(() => look(event.timeStamp));
  };
  addEventListener('keydown', hear, true);
}))"""


async def measure_run(server: Server, _: Worker, plan: Plan) -> dict[str, Any]:
    """Return the figures, or the reason why there are none if there is no Chromium."""
    async with using_chromium() as browser:
        if browser is None:
            return {"skipped": "there is no Chromium"}
        page = await browser.new_page()
        await page.goto(f"http://{server.host}:{server.port}{LESSON}")
        times = await _run_often(page, max(plan.runs // 2, 5))
    return {"press_to_paint_ms": {"median": round(statistics.median(times), 1), "most": round(max(times), 1)}, "runs": len(times)}


async def _run_often(page: Page, runs: int) -> list[float]:
    """Return the times of successive runs, without the first, which fetches and compiles what only a run needs."""
    await page.locator(f"{CELL} .cm-content").focus()
    times = []
    for number in range(1, runs + 2):
        await page.evaluate("([selector, text]) => document.querySelector(selector).cell.edit(text)", [CELL, f"print({number})"])
        await page.evaluate(WATCH, CELL)
        await page.keyboard.press("Control+Enter")
        times.append(await page.evaluate("bench"))
    return times[1:]
