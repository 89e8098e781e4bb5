"""Submissions and the store: each is kept before its receipt is given out, and who asks again with its key is told the same again."""

import secrets
from functools import partial

import msgspec
from msgspec import UNSET

from app.classroom.store.database import Database
from app.classroom.store.store_faults import StoreFault
from app.classroom.store.stored_work_types import KeyUsed, NewAttempt, StoredAttempt, TooMuchStored
from app.classroom.store.times import now_ms
from app.classroom.work import attempts
from app.grading.earlier_answers import renew_answer
from app.grading.submission_answer import answer_submission
from app.lessons.model.exercise import Exercise
from app.protocol.grading import Verdict
from app.protocol.run import Lang
from app.web.announcements import Submitted
from app.web.http.answer import encoder
from app.web.http.errors import NoLearner
from app.web.storing.claimed_keys import FirstAnswer, Key
from app.web.storing.learner_store import LearnerStore

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32: no letter is taken for another, or for a number
GROUPS, LETTERS = 4, 4  # of a receipt's id: 80 random bits
NO_RUN = b"null"
verdicts = msgspec.json.Decoder(Verdict)


class StoredSubmissions:
    """The submissions in the store. `limit_bytes`: how much may be kept of one learner."""

    def __init__(self, database: Database, keeper: LearnerStore, limit_bytes: int) -> None:
        self._database, self._keeper, self._limit_bytes = database, keeper, limit_bytes

    async def find(self, key: Key) -> StoredAttempt | None:
        """The submission that has this key; None also if the store cannot be read, because that is no reason not to grade."""
        find = partial(attempts.find_attempt, learner=key.learner, lesson=key.lesson, exercise=key.exercise, key=key.key)
        try:
            return await self._database.read(find)
        except StoreFault:
            return None

    async def keep(self, submitted: Submitted) -> StoredAttempt | None:
        """Keeps a submission; its answer has a receipt then, or says why not. Returns the one that has its key already, if any."""
        answer, learner = submitted.answer, submitted.principal.learner
        if learner is None:
            answer.not_kept = "no_learner"
            return None
        attempt = make_attempt(submitted)
        keep = partial(attempts.keep_attempt, learner=learner, attempt=attempt, limit_bytes=self._limit_bytes)
        try:
            return await self._keeper.write(submitted.principal, keep)
        except StoreFault as fault:
            reason = fault.reason
        except TooMuchStored:
            reason = "too_much"
        except NoLearner:  # who deleted all that was kept while this was graded
            reason = "no_learner"
        except KeyUsed:  # by a request that another web process answered, or while the store could not be read
            reason = "key_used"
        answer.receipt, answer.not_kept = None, reason
        return None


def make_attempt(submitted: Submitted) -> NewAttempt:
    """What is to be kept; the answer is given its receipt."""
    at_ms = now_ms()
    verdict, answer = submitted.verdict, submitted.answer
    answer.receipt = attempts.make_receipt(draw_receipt_id(), at_ms, submitted.source_sha256)
    counted = [check for check in verdict.checks if not check.reported]
    return NewAttempt(
        receipt=answer.receipt,
        at_ms=at_ms,
        lesson=submitted.lesson,
        exercise=submitted.exercise,
        key=submitted.key,
        source=submitted.source,
        seed=submitted.seed,
        run_id=submitted.run_id,
        passed=verdict.passed,
        good=sum(check.passed for check in counted),
        total=len(counted),
        mistake=answer.mistake.id if answer.mistake else None,
        verdict=encoder.encode(as_stored(verdict)).decode(),
        answer=encoder.encode(answer),
    )


def as_stored(verdict: Verdict) -> Verdict:
    """The verdict without the Jacobians of its checks, which are many times as large as the rest, and without what its author is told."""
    replace = msgspec.structs.replace
    checks = [replace(check, message=check.message and replace(check.message, gradcheck=None), line=UNSET) for check in verdict.checks]
    return replace(verdict, checks=checks, faults=UNSET)


def draw_receipt_id() -> str:
    """A new one, which people can read to each other: XXXX-XXXX-XXXX-XXXX."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(LETTERS)) for _ in range(GROUPS))


def tell_again(exercise: Exercise, kept: StoredAttempt, lang: Lang) -> FirstAnswer:
    """What a submission was answered; if that is not kept any more, the same without its run, in the language of who asks."""
    if kept.answer is not None:
        return FirstAnswer(kept.run_id, renew_answer(kept.answer))
    answer = answer_submission(exercise, verdicts.decode(kept.verdict), NO_RUN, lang)
    answer.receipt = kept.receipt
    return FirstAnswer(kept.run_id, encoder.encode(answer))
