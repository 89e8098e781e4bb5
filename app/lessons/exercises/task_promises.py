"""Checks the promises of a task. Each needs a check, and a program that breaks the promise and is refused by this check alone."""

import re
from collections.abc import Iterator, Sequence

from markdown_it.token import Token

from app.lessons.markdown.directives import Report
from app.lessons.model.exercise import Exercise, Promise
from app.lessons.texts.text import plain_words
from app.lessons.toml.problem import suggest
from app.lessons.toml.table import Table

RULES = ("functions", "bans")  # keys of exercise.toml that a promise may name in place of a check
PROMISING = re.compile(
    r"\b(?:must|never|only|also|not|cannot|no|(?-i:none)|nothing|neither|nor|without|still|any|every|each|all|both|even|same|finite"
    r"|whether|either|whatever|unchanged|exactly|at least|at most|should|may)\b|n’t\b",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z(])")


def check_promises(table: Table, folder: str, exercise: Exercise) -> None:
    """Report a promise whose check or program in broken/ does not exist, and a program in broken/ that belongs to no promise."""
    checks = [check.id for check in exercise.checks]
    if exercise.kind == "test":
        checks = ["right", *(f"mutant:{name}" for name in exercise.mutants)]
    rules = [rule for rule in RULES if getattr(exercise, rule)]
    for index, promise in enumerate(exercise.promises):
        if promise.check is not None and promise.check not in (*checks, *rules):
            table.report(f'there is no check "{promise.check}"{suggest(promise.check, (*checks, *rules))}', "promise", index, "check")
        file = f"broken/{promise.id.replace('-', '_')}.py"
        if promise.check is not None and promise.id not in exercise.broken:
            message = f"expected {file}, a program that breaks this promise and that only the check {promise.check} refuses"
            table.report(message, "promise", index, "id")
    checked = [promise.id for promise in exercise.promises if promise.check is not None]
    for name in exercise.broken:
        if name not in checked:
            file = f"{folder}/broken/{name.replace('-', '_')}.py"
            table.reader.report(
                file, 1, f'expected a [[promise]] with the id "{name}" and a check in exercise.toml{suggest(name, checked)}'
            )


def check_sentences(task: Sequence[Token], promises: Sequence[Promise], report: Report) -> None:
    """Report sentences of the English task that promise something but are not in `promises`. Also report promises that the task lacks."""
    sentences = list(_sentences(task))
    for promise in promises:
        if not any(promise.words in sentence for _, sentence in sentences):
            report(1, f'the promise "{promise.id}": no sentence of the task has the words "{promise.words}"')
    for line, sentence in sentences:
        if PROMISING.search(sentence) and not any(promise.words in sentence for promise in promises):
            report(
                line,
                f'"{sentence}" promises something: expected a [[promise]] with words of it in exercise.toml, and the check that holds it',
            )


def _sentences(task: Sequence[Token]) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a text without markup. Each comes with the line at which its paragraph begins."""
    line = 1
    for token in task:
        line = token.map[0] + 1 if token.map else line
        if token.type == "inline":
            yield from ((line, sentence) for sentence in SENTENCE_END.split(plain_words(token)))
