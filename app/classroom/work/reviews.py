"""When a wrongly answered prediction is asked again. FSRS, a scheduler for spaced repetition, computes this from a card, which is JSON.

The first wrong answer makes the card. When the card is due, any answer reschedules it. Before that, a right answer changes nothing, because
the explanation was just read or the interval is not over. A wrong answer reschedules the card if the last review is at least a day ago and
the question then comes back sooner. So an answer that is given or reported twice changes nothing.

A card may also come from an import. `read_card` accepts exactly what `review` writes. Anything else in the database counts as no card.
"""

from datetime import datetime, timedelta
from typing import Annotated, Literal

import msgspec
from fsrs import Card, Rating, Scheduler, State
from msgspec import Meta

from app.classroom.store.times import EPOCH, to_datetime, to_ms

LAST_DUE = datetime.fromisoformat("9990-01-01T00:00:00+00:00")  # the calendar ends in 9999
Moment = Annotated[datetime, Meta(tz=True)]

# Without steps of minutes a question comes back after a day at the earliest; without fuzz the same answers give the same days.
scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """The card of a prediction as FSRS's JSON, and when it is due. Both are None while no answer was wrong."""

    card: str | None = None
    due_ms: int | None = None


class BadCard(Exception):
    """The text is not a card that `review` writes. `field` is the wrong field, or "" if the text is no card at all."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class ReviewedCard(msgspec.Struct, forbid_unknown_fields=True):
    """A card of FSRS after at least one review by the scheduler of this module, which has no learning steps. `stability` is in days."""

    card_id: Annotated[int, Meta(ge=0, le=2**53)]
    state: Literal[2]  # fsrs.State.Review
    step: None
    stability: Annotated[float, Meta(ge=0.0001, le=1_000_000)]
    difficulty: Annotated[float, Meta(ge=1, le=10)]
    due: Moment
    last_review: Moment


def read_card(text: str) -> Card:
    """Parse a card from JSON. Raises BadCard."""
    try:
        facts = msgspec.json.decode(text, type=ReviewedCard)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadCard(str(error).partition(" `$.")[2].removesuffix("`"), str(error)) from None
    for field in ("due", "last_review"):
        if not EPOCH <= getattr(facts, field) <= LAST_DUE:
            raise BadCard(field, f"{field} is not between 1970 and 9990")
    return Card(state=State.Review, **{name: getattr(facts, name) for name in facts.__struct_fields__ if name != "state"})


def review(before: Review, right: bool | None, now_ms: int) -> Review:
    """Return the card after an answer. `right` is None if the learner asked to see the answer, which counts as wrong if the card is due."""
    card = find_card(before.card)
    if card is None or before.due_ms is None:
        return _rate(Card(card_id=0), Rating.Again, now_ms) if right is False else Review()
    if now_ms >= before.due_ms:
        return _rate(card, Rating.Good if right else Rating.Again, now_ms)
    if right is False and card.last_review is not None and to_datetime(now_ms) - card.last_review >= timedelta(days=1):
        sooner = _rate(card, Rating.Again, now_ms)
        if sooner.due_ms is not None and sooner.due_ms < before.due_ms:
            return sooner
    return before


def find_card(text: str | None) -> Card | None:
    """Return the card, or None if there is none or it is broken."""
    try:
        return None if text is None else read_card(text)
    except BadCard:
        return None


def _rate(card: Card, rating: Rating, now_ms: int) -> Review:
    card, _ = scheduler.review_card(card, rating, to_datetime(now_ms))
    return Review(card=card.to_json(), due_ms=to_ms(card.due))
