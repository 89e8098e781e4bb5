"""Reads the text of an exercise in one language: title, task, hints, and what it says about mistakes, checks and mutants."""

from collections.abc import Mapping

import msgspec
from markdown_it.token import Token

from app.lessons.markdown.directives import Report
from app.lessons.markdown.markup import parse_markup
from app.lessons.markdown.parser import render_tokens, walk
from app.lessons.markdown.parts import Part, parts_of, prose_of, take_apart
from app.lessons.markdown.references import Reference, Resolve, find_references, point
from app.lessons.model.exercise import Exercise, ExerciseText
from app.lessons.texts.text import check_title, plain_words
from app.lessons.toml.problem import suggest
from app.protocol.run import Lang


class ExerciseDraft(msgspec.Struct):
    """A parsed text whose references are not resolved yet. `named` has directives with an id, such as a mistake, by name and id."""

    title: Token
    tokens: list[Token]
    hints: list[Part]
    named: dict[str, dict[str, Part]]
    after: Part | None
    references: list[Reference]


def parse_exercise_text(text: str, lang: Lang, exercise_id: str, report: Report) -> ExerciseDraft | None:
    """Return the parsed text, or None if it does not begin with a title. Problems are reported."""
    tokens = parse_markup(text, lang, report, "exercise", prefix=f"{exercise_id}-")
    if not tokens or (tokens[0].type, tokens[0].tag) != ("heading_open", "h1"):
        report(1, "expected a title, # …, and then the task")
        return None
    check_title(tokens[1], report)
    for placed in walk(tokens[3:]):
        if placed.token.type == "heading_open":
            report(placed.line, "an exercise has a title, and no headings below")
    pieces = take_apart(tokens[3:])
    draft = ExerciseDraft(title=tokens[1], tokens=prose_of(pieces), hints=[], named={}, after=None, references=find_references(tokens))
    if not draft.tokens:
        report(1, "expected the task, below the title")
    for part in parts_of(pieces):
        _add(draft, part, report)
    return draft


def check_exercise_text(draft: ExerciseDraft, exercise: Exercise, report: Report) -> None:
    """Report mistakes, checks and mutants that the text does not explain, and explanations of those that do not exist."""
    visible = {check.id: "" for check in exercise.checks if not check.hidden}
    hidden = {check.id for check in exercise.checks if check.hidden}
    for name, known, where in (
        ("mistake", exercise.mistakes, "mistakes/"),
        ("check", visible, "exercise.toml"),
        ("mutant", exercise.mutants, "mutants/"),
    ):
        explained = draft.named.get(name, {})
        for one, part in explained.items():
            if one in hidden and name == "check":
                report(part.line, f'the check "{one}" is hidden: it is counted, and has no title')
            elif one not in known:
                report(part.line, f'there is no {name} "{one}" in {where}{suggest(one, known)}')
        _report_missing(name, known, explained, report)


def finish_exercise_text(draft: ExerciseDraft, resolve: Resolve) -> tuple[ExerciseText, tuple[str, ...]]:
    """Return the finished text, and the ids of the glossary's terms to which the text links."""
    terms = point(draft.references, resolve)
    text = ExerciseText(
        title=plain_words(draft.title),
        html=render_tokens(draft.tokens),
        hints=tuple(render_tokens(part.tokens) for part in draft.hints),
        mistakes={one: render_tokens(part.tokens) for one, part in draft.named.get("mistake", {}).items()},
        checks={one: _plain(part) for one, part in draft.named.get("check", {}).items()},
        mutants={one: render_tokens(part.tokens) for one, part in draft.named.get("mutant", {}).items()},
        after=render_tokens(draft.after.tokens) if draft.after else "",
    )
    return text, terms


def _add(draft: ExerciseDraft, part: Part, report: Report) -> None:
    if part.name == "hint":
        draft.hints.append(part)
    elif part.name == "after":
        if draft.after is not None:
            report(part.line, "there is already an :::{after}")
        draft.after = part
    elif part.argument in draft.named.setdefault(part.name, {}):
        report(part.line, f'the {part.name} "{part.argument}" is explained a second time')
    else:
        draft.named[part.name][part.argument] = part
        if part.name == "check" and [token.type for token in part.tokens] != ["paragraph_open", "inline", "paragraph_close"]:
            report(part.line, "expected the check's title, one line of plain words")


def _report_missing(name: str, known: Mapping[str, str], explained: Mapping[str, Part], report: Report) -> None:
    for one in known:
        if one not in explained:
            report(1, f"the {name} {one} is not explained: expected :::{{{name}}} {one}")


def _plain(part: Part) -> str:
    return " ".join(plain_words(token) for token in part.tokens if token.type == "inline")
