"""Checks the order of a text: it places each cell, prediction, try-it and exercise exactly once, and has the headings of the English text.

A prediction precedes its cell, and a step follows the exercise that it continues.
"""

from collections.abc import Mapping, Sequence

from app.lessons.markdown.directives import Report
from app.lessons.markdown.parts import Part
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Cell, TryIt
from app.lessons.model.prediction import Prediction
from app.lessons.texts.text import Draft
from app.lessons.toml.problem import suggest


def check_placement(
    draft: Draft, cells: Sequence[Cell], predictions: Sequence[Prediction], tries: Sequence[TryIt], exercises: Sequence[str], report: Report
) -> None:
    """Report directives that are missing, unknown, repeated or out of order. Only exercises need not be in the order of lesson.toml."""
    _check_each("cell", "cell", draft.parts("cell"), [cell.id for cell in cells], "lesson.toml", report)
    _check_each("predict", "prediction", draft.parts("predict"), [one.id for one in predictions], "lesson.toml", report)
    _check_each("try", "try", draft.parts("try"), [one.id for one in tries], "lesson.toml", report)
    _check_each("exercise", "exercise", draft.parts("exercise"), exercises, "exercises/", report)
    _check_before(draft, predictions, report)


def _check_each(directive: str, noun: str, parts: Sequence[Part], declared: Sequence[str], where: str, report: Report) -> None:
    placed: list[str] = []
    for part in parts:
        one = part.argument
        if one not in declared:
            report(part.line, f'there is no {noun} "{one}" in {where}{suggest(one, declared)}')
        elif one in placed:
            report(part.line, f'the {noun} "{one}" is placed a second time')
        else:
            later = [other for other in placed if declared.index(other) > declared.index(one)]
            if later and where == "lesson.toml":
                report(part.line, f'expected the {noun} "{one}" before "{later[0]}", as in lesson.toml')
            placed.append(one)
    for one in declared:
        if one not in placed:
            report(1, f'the {noun} "{one}" is not placed: expected :::{{{directive}}} {one}')


def _check_before(draft: Draft, predictions: Sequence[Prediction], report: Report) -> None:
    cell_lines = {part.argument: part.line for part in draft.parts("cell")}
    cell_of = {one.id: one.cell_id for one in predictions}
    for part in draft.parts("predict"):
        cell = cell_of.get(part.argument, "")
        if cell in cell_lines and cell_lines[cell] < part.line:
            report(part.line, f'expected the prediction "{part.argument}" before its cell "{cell}" (line {cell_lines[cell]})')


def check_sections(draft: Draft, english: Draft, report: Report) -> None:
    """Report the first heading whose level differs from the English text. If all levels agree, report a different number of headings."""
    for section, model in zip(draft.sections, english.sections, strict=False):
        if section.level != model.level:
            marks = ("#" * model.level, model.words, model.line, "#" * section.level)
            report(section.line, 'expected {} as for "{}" (en.md:{}), got {}'.format(*marks))
            return
    if len(draft.sections) != len(english.sections):
        line = draft.sections[-1].line if draft.sections else 1
        report(line, f"expected {len(english.sections)} headings as in en.md, got {len(draft.sections)}")


def check_step_order(draft: Draft, exercises: Mapping[str, Exercise], report: Report) -> None:
    """Report a step that the text places before the exercise that the step continues."""
    lines = {part.argument: part.line for part in draft.parts("exercise")}
    for name, line in lines.items():
        before = exercises[name].continues if name in exercises else None
        if before in lines and lines[before] >= line:
            report(line, f'expected the exercise "{name}" after "{before}" (line {lines[before]}), from which it goes on')
