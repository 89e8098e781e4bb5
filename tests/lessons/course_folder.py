"""A small course without problems on disk, which tests change."""

import textwrap
from pathlib import Path

from app.lessons.course.catalogue import Catalogue, load_catalogue
from app.lessons.toml.problem import Problem

FIRST = """\
minutes = 5

[[cell]]
id = "a-cell"

[cell.shows]
stdout = ["1"]

[[cell]]
id = "b"
after = ["a-cell"]
raises = "ValueError"
deadline_seconds = 20

[cell.shows]
"""

TEXT = """\
# First `code`

The lede, with $x^2$ and
[grad_x]{.backward}.

:::{cell} a-cell
:::

## Why

Because.

:::{cell} b
:::

### More

:::{note}
Text.
:::
"""


class CourseFolder:
    """A chapter `one` with the lessons `first` (cells `a-cell` and `b`, which continues it) and `second` (no cells)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("course.toml", 'chapters = ["one"]')
        self.write("one/chapter.toml", 'number = 1\ntitle.en = "One"\ntitle.zh-Hans = "一"\nlessons = ["first", "second"]')
        self.write("one/first/lesson.toml", FIRST)
        self.write("one/first/cells/a_cell.py", "a = 1\n")
        self.write("one/first/cells/b.py", "b = a\n")
        for lang in ("en", "zh-Hans"):
            self.write(f"one/first/{lang}.md", TEXT)
            self.write(f"one/second/{lang}.md", "# Second\n\nLede.\n\n## Its part\n\nSee [first](../first#why).\n")
        self.write("one/second/lesson.toml", "minutes = 2")

    def write(self, file: str, text: str) -> None:
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")

    def replace(self, file: str, old: str, new: str) -> None:
        text = (self.folder / file).read_text(encoding="utf-8")
        assert old in text
        self.write(file, text.replace(old, new, 1))

    def load(self) -> Catalogue:
        return load_catalogue(self.folder)

    def problem(self) -> Problem:
        """Return the only problem, after which the lesson that has it is left out."""
        catalogue = self.load()
        assert len(catalogue.problems) == 1, catalogue.problems
        return catalogue.problems[0]
