"""Stores submissions. Each is stored before its receipt is sent. A client that repeats a key gets the same answer again."""

import secrets
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import msgspec
from msgspec import UNSET

from app.classroom.store.database import Database
from app.classroom.store.faults.store_faults import StoreFault
from app.classroom.store.stored_work_types import KeyUsed, NewAttempt, StoredAttempt, TooMuchStored
from app.classroom.store.times import now_ms
from app.classroom.work import attempts
from app.grading.earlier_answers import renew_answer
from app.grading.exercise_version import hash_exercise
from app.grading.submission_answer import SubmissionAnswer, answer_submission
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Lesson
from app.protocol.grading import Verdict
from app.protocol.run import Lang
from app.web.guards.principal import Principal
from app.web.http.answer import encoder
from app.web.http.errors import NoLearner
from app.web.storing.claimed_keys import FirstAnswer, Key
from app.web.storing.learner_store import LearnerStore

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32, in which no letter looks like another or like a digit
GROUPS, LETTERS = 4, 4  # of a receipt's id: 80 random bits
NO_RUN = b"null"
verdicts = msgspec.json.Decoder(Verdict)


@dataclass(frozen=True, kw_only=True)
class Submission:
    """A program that was sent for an exercise. `key` is its Idempotency-Key, or None if it has none or its sender has no cookie."""

    principal: Principal
    lesson: Lesson
    exercise: Exercise
    source: str
    seed: int
    key: Key | None
    lang: Lang

    @cached_property
    def sha256(self) -> str:
        """The hash of the source as UTF-8."""
        return sha256(self.source.encode()).hexdigest()


class StoredSubmissions:
    """Finds and stores submissions. `limit_bytes` bounds the texts that are stored of one learner."""

    def __init__(self, database: Database, store: LearnerStore, limit_bytes: int) -> None:
        self._database, self._store, self._limit_bytes = database, store, limit_bytes

    async def find(self, key: Key) -> StoredAttempt | None:
        """Return the attempt with this key, or None. If the store cannot be read, return None too, so that the submission is graded."""
        try:
            return await self._database.read(attempts.find_attempt, key.learner, lesson=key.lesson, exercise=key.exercise, key=key.key)
        except StoreFault:
            return None

    async def save(self, submission: Submission, run_id: str, verdict: Verdict, answer: SubmissionAnswer) -> StoredAttempt | None:
        """Store a graded submission. Set in `answer` its receipt, or the reason why it is not stored.

        If an attempt with the same key is already stored, return that attempt and store nothing; else return None.
        """
        if submission.principal.learner is None:
            answer.not_kept = "no_learner"
            return None
        attempt = make_attempt(submission, run_id, verdict, answer)
        try:
            return await self._store.write(submission.principal, attempts.save_attempt, attempt, limit_bytes=self._limit_bytes)
        except StoreFault as fault:
            reason = fault.reason
        except TooMuchStored:
            reason = "too_much"
        except NoLearner:  # the learner has deleted their work while this was graded
            reason = "no_learner"
        except KeyUsed:  # by another web process, or by a request that `find` missed because the store could not be read
            reason = "key_used"
        answer.receipt, answer.not_kept = None, reason
        return None


def make_attempt(submission: Submission, run_id: str, verdict: Verdict, answer: SubmissionAnswer) -> NewAttempt:
    """Return the attempt to store. Sets the receipt in `answer`, because the answer is stored with the attempt."""
    at_ms = now_ms()
    answer.receipt = attempts.make_receipt(draw_receipt_id(), at_ms, submission.sha256)
    counted = [check for check in verdict.checks if not check.reported]
    return NewAttempt(
        receipt=answer.receipt,
        at_ms=at_ms,
        lesson=submission.lesson.path,
        exercise=submission.exercise.id,
        key=submission.key.key if submission.key else None,
        source=submission.source,
        seed=submission.seed,
        run_id=run_id,
        passed=verdict.passed,
        good=sum(check.passed for check in counted),
        total=len(counted),
        mistake=answer.mistake.id if answer.mistake else None,
        verdict=encoder.encode(as_stored(verdict)).decode(),
        version=hash_exercise(submission.lesson, submission.exercise),
        answer=encoder.encode(answer),
    )


def as_stored(verdict: Verdict) -> Verdict:
    """Return the part of a verdict that is stored.

    Jacobians are left out because they are large. Lines and faults are left out because only authors see them.
    """
    replace = msgspec.structs.replace
    checks = [replace(check, message=check.message and replace(check.message, gradcheck=None), line=UNSET) for check in verdict.checks]
    return replace(verdict, checks=checks, faults=UNSET)


def draw_receipt_id() -> str:
    """Return a random id that people can read to each other: XXXX-XXXX-XXXX-XXXX."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(LETTERS)) for _ in range(GROUPS))


def repeat_answer(exercise: Exercise, attempt: StoredAttempt, lang: Lang) -> FirstAnswer:
    """Return the answer that was given to an attempt. If it is no longer stored, make one from the verdict, in `lang` and without a run."""
    if attempt.answer is not None:
        return FirstAnswer(attempt.run_id, renew_answer(attempt.answer))
    answer = answer_submission(exercise, verdicts.decode(attempt.verdict), NO_RUN, lang)
    answer.receipt = attempt.receipt
    return FirstAnswer(attempt.run_id, encoder.encode(answer))
