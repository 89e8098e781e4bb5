"""A small course in a folder of its own, whose files a test may change."""

from pathlib import Path

FILES = {
    "course.toml": 'chapters = ["one"]\n',
    "one/chapter.toml": 'number = 1\ntitle.en = "One"\ntitle.zh-Hans = "一"\nlessons = ["first", "second"]\n',
    "one/first/lesson.toml": """\
# the author's own words stay
minutes = 5

[[cell]]
id = "slope"  # the only cell

[cell.shows]
stdout = ["6.0"]  # at three
""",
    "one/first/en.md": "# First\n\nThe first lesson.\n\n## A part\n\nA slope.\n\n:::{cell} slope\n:::\n\n## Another part\n\nThe end.\n",
    "one/first/zh-Hans.md": "# 第一课\n\n这是第一课。\n\n## 一节\n\n斜率。\n\n:::{cell} slope\n:::\n\n## 另一节\n\n结束。\n",
    "one/first/cells/slope.py": "x = 3.0\nprint(2 * x)\n",
    "one/second/lesson.toml": "minutes = 5\n",
    "one/second/en.md": "# Second\n\nThe second lesson.\n",
    "one/second/zh-Hans.md": "# 第二课\n\n这是第二课。\n",
}


def write_course(folder: Path) -> Path:
    """Write a course of two lessons, of which the first has one cell. Return its folder."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder
