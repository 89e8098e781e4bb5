"""The answer to a submission. Of hidden checks, it has only the number. It never has the solution.

A check is hidden unless the exercise declares it as visible, it is about a mutant, or every exercise may have it.
"""

import msgspec

from app.grading.words import OUTCOME_WORDS, RUNS, WORDS, fill, said_value, word
from app.lessons.model.exercise import Exercise
from app.locale.messages import mark, translator
from app.protocol.grading import MARKS, CheckResult, Message, Receipt, Verdict
from app.protocol.outcome import Outcome
from app.protocol.records.gradcheck import GradcheckRecord
from app.protocol.run import Lang

MUTANT, CONCEALED = "mutant:", "hidden:"
LET_THROUGH = "mutant-accepted"  # the code of the message
STANDARD = {  # the checks that every exercise may have
    RUNS: mark("The program runs to its end"),
    "functions": mark("What the task asks for is defined"),
    "bans": mark("Nothing is used that the task rules out"),
    "right": mark("Your check accepts what is right"),
    MARKS: mark("How the program is written"),
}
CAUGHT = mark("Your check finds the fault of wrong version {number}")
_TITLES = {  # in the order in which they are shown, by the name of the value in the message
    "arguments": mark("given"),
    "incoming": mark("incoming gradient"),
    "expected": mark("expected"),
    "got": mark("got"),
    "numerical": mark("numerically"),
    "analytical": mark("from backward"),
}
_SHOWN = ("numerical", "analytical")  # values that the Jacobians show, if the message has them
_AUTOGRADS = mark("from autograd")  # in place of "from backward" where autograd differentiated the gradient


class Fact(msgspec.Struct, kw_only=True):
    """One value of a failed check. `title` is in the language of the request; `value` is plain text that may come from the learner."""

    title: str
    value: str


class CheckAnswer(msgspec.Struct, kw_only=True):
    """The result of one visible check.

    - `title` and `message` are plain text; `message` may be empty.
    - `html` has the author's own words as safe HTML; it may be empty.
    - `facts` are the values that were given, expected and returned.
    - `gradcheck` has the Jacobians that differ.
    - `explanation` says what an exception means and what to try.
    - `reported` is true if the learner's process judged itself. The verdict does not depend on such a check.
    """

    id: str
    title: str
    passed: bool
    message: str = ""
    html: str = ""
    facts: list[Fact] = []
    gradcheck: GradcheckRecord | None = None
    explanation: str = ""
    reported: bool = False


class HiddenAnswer(msgspec.Struct, kw_only=True):
    """How many hidden checks there are, and how many of them passed."""

    passed: int
    total: int


class MistakeAnswer(msgspec.Struct, kw_only=True):
    """A known mistake that was recognised. `html` says what happened, why, and what to try. `message` is always empty."""

    id: str
    message: str = ""
    html: str


class SubmissionAnswer(msgspec.Struct, kw_only=True):
    """The outcome of a submission.

    - `after` is HTML to show once the exercise is solved; until then it is empty.
    - `run` is a RunResult. It is null if an old answer is repeated and only its verdict is still stored.
    - `receipt` proves that the submission was stored. If it is null, `not_kept` says why.
    - `not_kept` is "no_learner" (no cookie), "stopped", "too_much" or "key_used"; or a fault of the store, which is "full", "read_only",
      "locked", "crowded", "broken", "outdated", "too_new" or "unreachable"; or "at_limit" if the store accepts nothing now, and
      "address_at_limit" if it accepts nothing now from the learner's network address.
    """

    passed: bool
    checks: list[CheckAnswer]
    hidden: HiddenAnswer
    run: msgspec.Raw
    mistake: MistakeAnswer | None = None
    after: str = ""
    receipt: Receipt | None = None
    not_kept: str | None = None


def is_hidden(exercise: Exercise, check: CheckResult) -> bool:
    visible = {facts.id for facts in exercise.checks if not facts.hidden}
    declared = check.id in visible or check.id in STANDARD or mutant_of(exercise, check) is not None
    return not declared


def mutant_of(exercise: Exercise, check: CheckResult) -> str | None:
    """Return the id of the mutant that the check is about, or None. In imported verdicts, a mutant has its number in place of its id."""
    name, numbers = check.id.removeprefix(MUTANT), {str(number): mutant for number, mutant in enumerate(exercise.mutants, 1)}
    if not check.id.startswith(MUTANT):
        return None
    return name if name in exercise.mutants else numbers.get(name)


def conceal_hidden(exercise: Exercise | None, verdict: Verdict) -> Verdict:
    """Return the verdict as learners may export it. Hidden checks lose name and message, and mutants have numbers in place of ids.

    `exercise` is None if the course no longer has it. Then all checks count as hidden.
    """
    checks = []
    for number, check in enumerate(verdict.checks, 1):
        if exercise is None or is_hidden(exercise, check):
            checks.append(CheckResult(id=f"{CONCEALED}{number}", passed=check.passed, reported=check.reported))
        elif (mutant := mutant_of(exercise, check)) is not None:
            checks.append(msgspec.structs.replace(check, id=f"{MUTANT}{list(exercise.mutants).index(mutant) + 1}"))
        else:
            checks.append(check)
    return msgspec.structs.replace(verdict, checks=checks)


def describe_check(exercise: Exercise, check: CheckResult, lang: Lang) -> CheckAnswer | None:
    """Return the answer about one check, or None if the check is hidden. A mutant is named by its number: its id may tell what is wrong."""
    if is_hidden(exercise, check):
        return None
    text = exercise.texts[lang]
    translate = translator(lang)
    message = say(check, lang)
    mutant = mutant_of(exercise, check)
    if mutant is None:
        title = text.checks.get(check.id) or translate(STANDARD.get(check.id, check.id))
        evidence = check.message or Message(code="")
        return CheckAnswer(
            id=check.id,
            title=title,
            passed=check.passed,
            message=message,
            facts=list_facts(evidence, lang),
            gradcheck=evidence.gradcheck,
            explanation=evidence.explanation or "",
            reported=check.reported,
        )
    number = list(exercise.mutants).index(mutant) + 1
    html = text.mutants.get(mutant, "") if was_let_through(check) else ""
    return CheckAnswer(
        id=f"{MUTANT}{number}",
        title=translate(CAUGHT).format(number=number),
        passed=check.passed,
        message="" if html else message,
        html=html,
        reported=check.reported,
    )


def list_facts(message: Message, lang: Lang) -> list[Fact]:
    """Return the facts of a failed check. There are none if the check's author chose the message's code."""
    words = WORDS.get(message.code)
    if words is None:
        return []
    translate = translator(lang)
    titles = _TITLES | ({"analytical": _AUTOGRADS} if message.code.startswith("gradgradcheck") else {})
    return [
        Fact(title=translate(title), value=said_value(message.values[name], lang))
        for name, title in titles.items()
        if name in message.values and f"{{{name}}}" not in words and not (message.gradcheck and name in _SHOWN)
    ]


def say(check: CheckResult, lang: Lang) -> str:
    """Return the message of a check as plain text; "" if it has none."""
    if check.message is None:
        return ""
    if check.id == RUNS and check.message.code in OUTCOME_WORDS:
        return fill(translator(lang)(OUTCOME_WORDS[check.message.code]), check.message.values)
    return word(check.message, lang)


def was_stopped(verdict: Verdict) -> bool:
    """Return whether the learner stopped the submission before there was a verdict."""
    return any(check.id == RUNS and check.message is not None and check.message.code == Outcome.STOPPED for check in verdict.checks)


def was_let_through(check: CheckResult) -> bool:
    """Return whether the learner's own check accepted the mutant that `check` is about."""
    return not check.passed and (check.message is None or check.message.code == LET_THROUGH)


def answer_submission(exercise: Exercise, verdict: Verdict, run: bytes, lang: Lang) -> SubmissionAnswer:
    """Return the answer to a submission. `run` is the JSON of its RunResult."""
    answers = [describe_check(exercise, check, lang) for check in verdict.checks]
    hidden = [check for check, answer in zip(verdict.checks, answers, strict=True) if answer is None]
    return SubmissionAnswer(
        passed=verdict.passed,
        checks=[answer for answer in answers if answer is not None],
        hidden=HiddenAnswer(passed=sum(check.passed for check in hidden), total=len(hidden)),
        run=msgspec.Raw(run),
        mistake=describe_mistake(exercise, verdict, lang),
        after=exercise.texts[lang].after if verdict.passed else "",
    )


def describe_mistake(exercise: Exercise, verdict: Verdict, lang: Lang) -> MistakeAnswer | None:
    html = exercise.texts[lang].mistakes.get(verdict.mistake or "")
    if verdict.passed or verdict.mistake is None or html is None:
        return None
    return MistakeAnswer(id=verdict.mistake, html=html)
