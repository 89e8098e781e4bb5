"""When a prediction that was wrong is asked again: FSRS, the scheduler of spaced repetition, on the card that it writes as JSON.

A wrong answer makes the card. Later answers move it when it is due. Before that a right one shows little, as the explanation was just read
or the interval is not over; a wrong one shows that it was forgotten early, and counts on another day if it brings the question back sooner.
So an answer that is given or reported twice changes nothing.
"""

from datetime import timedelta

import msgspec
from fsrs import Card, Rating, Scheduler

from app.classroom.times import to_datetime, to_ms

# Without steps of minutes a question comes back after a day at the earliest; without fuzz the same answers give the same days.
scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """A card, as FSRS's JSON, and when it is due. Both are null while the prediction was never wrong."""

    card: str | None = None
    due_ms: int | None = None


def review(before: Review, right: bool | None, now_ms: int) -> Review:
    """The card after an answer. `right` null: the learner asked to be shown, which when it is due counts as wrong."""
    if before.card is None or before.due_ms is None:
        return _rate(Card(card_id=0), Rating.Again, now_ms) if right is False else Review()
    card = Card.from_json(before.card)
    if now_ms >= before.due_ms:
        return _rate(card, Rating.Good if right else Rating.Again, now_ms)
    if right is False and card.last_review is not None and to_datetime(now_ms) - card.last_review >= timedelta(days=1):
        sooner = _rate(card, Rating.Again, now_ms)
        if sooner.due_ms is not None and sooner.due_ms < before.due_ms:
            return sooner
    return before


def _rate(card: Card, rating: Rating, now_ms: int) -> Review:
    card, _ = scheduler.review_card(card, rating, to_datetime(now_ms))
    return Review(card=card.to_json(), due_ms=to_ms(card.due))
