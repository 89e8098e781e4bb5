"""A course of one lesson in three frameworks, of which two need not be installed, with records written by hand."""

from pathlib import Path
from typing import Any

import msgspec

from app.lessons.cells.recordings import hash_sources, make_recording, recording_file, render_recording
from app.lessons.course.catalogue import Catalogue, load_catalogue
from app.lessons.model.model import Lesson
from app.protocol.outcome import Outcome
from app.protocol.records.record import Span
from app.protocol.records.value import ValueRecord
from app.protocol.run import RunError, RunResult, RuntimeName
from tests.authoring import course

PATH = "frameworks/double"
VERSIONS: dict[RuntimeName, str] = {"tensorflow": "2.21.0", "jax": "0.10.2"}
JAXPR = "{ lambda ; a:f32[]. let b:f32[] = mul 2.0:f32[] a in (b,) }"
LESSON = """\
minutes = 5

[[cell]]
id = "in-torch"

[cell.shows]
stdout = ["6.0"]

[[cell]]
id = "in-tensorflow"
runtime = "tensorflow"

[cell.shows]
stdout = ["6.0"]

[[cell]]
id = "in-jax"
runtime = "jax"

[cell.shows]
stdout = ["6.0"]
records = ["value"]

[[cell]]
id = "jax-again"
runtime = "jax"
after = ["in-jax"]
raises = "NameError"

[cell.shows]
message = "name 'doubled' is not defined"

[[prediction]]
id = "same"
cell = "in-tensorflow"
asks = "value"
answer = 6
reads = "{}"

[[try]]
id = "thrice"
cell = "in-jax"
edits = [{ find = "2 * x", replace = "3 * x" }]

[try.shows]
stdout = ["9.0"]
records = ["value"]
"""
TORCH = """\
import torch

x = torch.tensor(3.0, requires_grad=True)
(x * x).backward()
print(x.grad.item())
"""
TENSORFLOW = """\
import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
print(tape.gradient(y, x).numpy())
print(object())
"""
JAX = """\
import jax


def double(x):
    return 2 * x


print(double(3.0))
jax.make_jaxpr(double)(3.0)
"""
ENGLISH = """\
# Twice, thrice

Three frameworks compute the same.

:::{cell} in-torch
:::

::::{predict} same
What does the cell print?

:::{why}
It is the same slope.
:::
::::

:::{cell} in-tensorflow
:::

:::{cell} in-jax
:::

:::{try} thrice
Write `3 * x`.
:::

:::{cell} jax-again
:::
"""
CHINESE = """\
# 两遍，三遍

三个框架算出同样的结果。

:::{cell} in-torch
:::

::::{predict} same
这个单元打印什么？

:::{why}
斜率是一样的。
:::
::::

:::{cell} in-tensorflow
:::

:::{cell} in-jax
:::

:::{try} thrice
改成 `3 * x`。
:::

:::{cell} jax-again
:::
"""
FILES = {
    "course.toml": 'chapters = ["frameworks"]\n',
    "frameworks/chapter.toml": 'number = 7\ntitle.en = "Frameworks"\ntitle.zh-Hans = "框架"\nlessons = ["double"]\n',
    f"{PATH}/lesson.toml": LESSON,
    f"{PATH}/en.md": ENGLISH,
    f"{PATH}/zh-Hans.md": CHINESE,
    f"{PATH}/cells/in_torch.py": TORCH,
    f"{PATH}/cells/in_tensorflow.py": TENSORFLOW,
    f"{PATH}/cells/in_jax.py": JAX,
    f"{PATH}/cells/jax_again.py": "print(doubled)\n",
}


def write_files(folder: Path) -> Path:
    """Write the course without records, and return its folder."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def write_course(folder: Path) -> Path:
    """Write the course with a record of every cell that needs one, and return its folder."""
    for lesson in load_catalogue(write_files(folder)).course.lessons:
        write_record(folder, lesson, "in-tensorflow", make_result("tensorflow", "6.0\n<object object at 0x7f32a41c01b0>\n"))
        value = ValueRecord(id="value-1", span=Span(cell="in-jax", line=9), stdout_offset=4, text=JAXPR)
        write_record(folder, lesson, "in-jax", make_result("jax", "6.0\n", records=[value]))
        error = RunError(type="NameError", message="name 'doubled' is not defined", cell="jax-again", line=1, column=6)
        failed = make_result("jax", outcome=Outcome.RAISED, error=error)
        write_record(folder, lesson, "jax-again", failed)
    return folder


def load_course(folder: Path) -> Catalogue:
    return load_catalogue(write_course(folder))


def write_record(folder: Path, lesson: Lesson, cell_id: str, result: RunResult) -> None:
    """Write a record with the same result in both languages, except for the words of an error."""
    chinese = msgspec.structs.replace(result, error=result.error and msgspec.structs.replace(result.error, explanation="没有定义。"))
    cell = lesson.cell(cell_id)
    assert cell
    path = folder / recording_file(lesson.path, cell_id)
    path.parent.mkdir(exist_ok=True)
    recording = make_recording(hash_sources(cell, lesson.cells), {"en": result, "zh-Hans": chinese})
    path.write_text(render_recording(recording), encoding="utf-8")


def make_result(runtime: RuntimeName, stdout: str = "", **fields: Any) -> RunResult:
    """Return the result of a run with the recorded version."""
    versions = {runtime: VERSIONS.get(runtime, "2"), "python": "3.11.2"}
    return msgspec.structs.replace(course.make_result(stdout=stdout, **fields), id="r7", runtime=runtime, versions=versions)
