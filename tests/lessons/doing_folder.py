"""The small course with everything that a learner does: predictions, exercises, a try-it, a rule, a picture, footnotes, terms, a plan."""

from tests.lessons.course_folder import CourseFolder

LESSON = """\
minutes = 5
requires = ["one/second", "one/later"]

[[cell]]
id = "double"

[cell.shows]
stdout = ["2"]

[[cell]]
id = "fails"
after = ["double"]
raises = "ValueError"

[cell.shows]

[[prediction]]
id = "how-much"
cell = "double"
asks = "value"
answer = 2
tolerance = 0.1
reads = "a = {}"

[[prediction]]
id = "which"
cell = "fails"
asks = "choice"
answer = 1

[[prediction.choice]]
raises = "ValueError"

[[prediction.choice]]
stdout = ["2"]
outcome = "finished"

[[try]]
id = "triple"
cell = "fails"
edits = [{ cell = "double", find = "2", replace = "3" }, { find = "int", replace = "" }]

[try.shows]
stdout = ["3"]
"""

EN = """\
# First

The lede, with an [incoming gradient](term:incoming).

::::{predict} how-much
How much is [it](../later)?

:::{wrong} 3
No, as [a note](term:incoming) says.
:::
:::{why}
Because $2 = 2$.
:::
::::

:::{cell} double
:::

A footnote[^1] and a picture:

![Two boxes, and an arrow between them](images/chain.svg)

::::{predict} which
What comes of it?

- An exception.
- The number `2`.

:::{why}
It fails.
:::
::::

:::{cell} fails
:::

:::{try} triple
Write a 3.
:::

:::{answer} What happens
It is *more*.
:::

:::{exercise} fill
:::

:::{exercise} probe
:::

:::{rule}
**Double it.**
:::

[^1]: The note.
"""

EXERCISE = """\
# Fill it in

Write only what is missing, see ![a box](../../images/chain.svg) and [this](../second)[^n].

:::{hint}
The first.
:::

:::{hint}
The second.
:::

:::{mistake} by-three
That is three.
:::

:::{check} right-value
It is the double of `a`
:::

:::{after}
Well done.
:::

[^n]: A note.
"""

PROBE = """\
# Find the fault

Write a check.

:::{hint}
One.
:::

:::{hint}
Two.
:::

:::{mutant} no-factor
It leaves the factor out.
:::
"""

CHECKS = """\
from gradroom import Subject, check, mistake

@check
def right_value():
    pass

@check(reported=True)
def unseen():
    pass

@mistake
def by_three():
    return True
"""

CHECK_TABLES = """\
[[check]]
id = "right-value"
[[check]]
id = "unseen"
hidden = true

[[promise]]
id = "no-loop"
words = "only what is missing"
check = "right-value"
"""

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="4" height="4"/></svg>\n'


def add_doing(course: CourseFolder) -> CourseFolder:
    """Rewrite the lesson `first`, and add the exercises `fill` (with a blank) and `probe` (of the kind "test")."""
    for file in ("a_cell.py", "b.py"):
        (course.folder / "one/first/cells" / file).unlink()
    course.replace("one/second/en.md", "../first#why", "../first")
    course.replace("one/second/zh-Hans.md", "../first#why", "../first")
    course.replace(
        "one/chapter.toml",
        'lessons = ["first", "second"]',
        'lessons = ["first", "second"]\n[[planned]]\nid = "later"\ntitle.en = "Later"\ntitle.zh-Hans = "以后"',
    )
    course.write(
        "glossary.toml",
        '[incoming]\nname.en = "incoming gradient"\nname.zh-Hans = "上游梯度"\n'
        'text.en = "What *comes* in, see [second](one/second)."\ntext.zh-Hans = "传进来的。"\nlesson = "one/later"\n'
        'pinyin = "shang you ti du"\n',
    )
    course.write("one/first/lesson.toml", LESSON)
    course.write("one/first/cells/double.py", "a = 2\n")
    course.write("one/first/cells/fails.py", 'int("a")\n')
    course.write("one/first/images/chain.svg", SVG)
    for lang in ("en", "zh-Hans"):
        course.write(f"one/first/{lang}.md", EN)
        course.write(f"one/first/exercises/fill/{lang}.md", EXERCISE)
        course.write(f"one/first/exercises/probe/{lang}.md", PROBE)
    toml = 'kind = "blank"\nafter = ["double"]\ndeadline_seconds = 20\nfunctions = ["Double"]\nbans = ["torch.exp"]\n'
    course.write("one/first/exercises/fill/exercise.toml", toml + CHECK_TABLES)
    for name, text in {
        "starter": "b = ____\n",
        "solution": "b = 2 * a\n",
        "solutions/sum": "b = a + a\n",
        "solutions/shift": "b = a << 1\n",
        "mistakes/by_three": "b = 3 * a\n",
        "broken/no_loop": "b = sum(a for _ in range(2))\n",
        "checks": CHECKS,
    }.items():
        course.write(f"one/first/exercises/fill/{name}.py", text)
    course.write("one/first/exercises/probe/exercise.toml", 'kind = "test"\nexamines = "check"\nsubject = "double"\n')
    for name in ("starter", "solution", "solutions/a", "solutions/b"):
        course.write(f"one/first/exercises/probe/{name}.py", f"def check(double):  # {name}\n    assert double(2) == 4\n")
    course.write("one/first/exercises/probe/right/plain.py", "def double(x):\n    return 2 * x\n")
    course.write("one/first/exercises/probe/mutants/no_factor.py", "def double(x):\n    return x\n")
    return course
