"""Reads the text of an exercise in one language: title, task, hints, and what it says about mistakes, checks and mutants."""

from collections.abc import Mapping, Sequence

from app.lessons.exercises.task_promises import check_sentences
from app.lessons.markdown.directives import Report
from app.lessons.markdown.markup import parse_markup
from app.lessons.markdown.parser import render_tokens, walk
from app.lessons.markdown.parts import Part, parts_of, prose_of, take_apart
from app.lessons.model.exercise import Exercise, ExerciseText
from app.lessons.texts.references import References
from app.lessons.texts.text import check_title, plain_words
from app.lessons.toml.problem import suggest
from app.protocol.run import Lang


def read_exercise_text(text: str, lang: Lang, exercise: Exercise, references: References, report: Report) -> ExerciseText | None:
    """Return the text, or None if it does not begin with a title. Problems are reported."""
    tokens = parse_markup(text, lang, report, "exercise", prefix=f"{exercise.id}-")
    if not tokens or (tokens[0].type, tokens[0].tag) != ("heading_open", "h1"):
        report(1, "expected a title, # …, and then the task")
        return None
    title = tokens[1]
    check_title(title, report)
    for line, token, _ in walk(tokens[3:]):
        if token.type == "heading_open":
            report(line, "an exercise has a title, and no headings below")
    references.point(tokens, report, f"exercises/{exercise.id}")
    pieces = take_apart(tokens[3:])
    task, parts = prose_of(pieces), parts_of(pieces)
    if not task:
        report(1, "expected the task, below the title")
    if lang == "en":
        check_sentences(task, exercise.promises, report)
    named = {name: _collect(name, parts, report) for name in ("mistake", "check", "mutant")}
    _check_explained(named, exercise, report)
    after = [part for part in parts if part.name == "after"]
    for part in after[1:]:
        report(part.line, "there is already an :::{after}")
    return ExerciseText(
        title=plain_words(title),
        html=render_tokens(task),
        hints=tuple(render_tokens(part.tokens) for part in parts if part.name == "hint"),
        mistakes={one: render_tokens(part.tokens) for one, part in named["mistake"].items()},
        checks={one: _read_title(part, report) for one, part in named["check"].items()},
        mutants={one: render_tokens(part.tokens) for one, part in named["mutant"].items()},
        after=render_tokens(after[-1].tokens) if after else "",
    )


def _collect(name: str, parts: Sequence[Part], report: Report) -> dict[str, Part]:
    """Return the directives called `name` by their ids."""
    found: dict[str, Part] = {}
    for part in parts:
        if part.name == name and part.argument in found:
            report(part.line, f'the {name} "{part.argument}" is explained a second time')
        elif part.name == name:
            found[part.argument] = part
    return found


def _check_explained(named: Mapping[str, Mapping[str, Part]], exercise: Exercise, report: Report) -> None:
    """Report mistakes, checks and mutants that the text does not explain, and explanations of those that do not exist."""
    visible = [check.id for check in exercise.checks if not check.hidden]
    hidden = [check.id for check in exercise.checks if check.hidden]
    for name, known, where in (
        ("mistake", exercise.mistakes, "mistakes/"),
        ("check", visible, "exercise.toml"),
        ("mutant", exercise.mutants, "mutants/"),
    ):
        for one, part in named[name].items():
            if one in hidden and name == "check":
                report(part.line, f'the check "{one}" is hidden: it is counted, and has no title')
            elif one not in known:
                report(part.line, f'there is no {name} "{one}" in {where}{suggest(one, known)}')
        for one in known:
            if one not in named[name]:
                report(1, f"the {name} {one} is not explained: expected :::{{{name}}} {one}")


def _read_title(part: Part, report: Report) -> str:
    """Return the title of a check as plain text."""
    if [token.type for token in part.tokens] != ["paragraph_open", "inline", "paragraph_close"]:
        report(part.line, "expected the check's title, one line of plain words")
    return " ".join(plain_words(token) for token in part.tokens if token.type == "inline")
