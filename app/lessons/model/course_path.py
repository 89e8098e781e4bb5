"""A path through a course as data."""

from collections.abc import Mapping

import msgspec

from app.protocol.run import Lang

LESSONS = (5, 8)  # how many lessons a path may have
MINUTES = (40, 60)  # how long its lessons may take together


class CoursePath(msgspec.Struct, frozen=True, kw_only=True):
    """Some lessons of a course in an order of their own.

    - `question` says who needs the path: what they ask, or want to do.
    - `end` says what readers are able to do after it.
    - `lessons` are paths of lessons, "chapter/lesson". A lesson that has problems is not in the course.
    - `then` is the path of a longer lesson for which this path prepares, or "".
    """

    id: str
    title: Mapping[Lang, str]
    question: Mapping[Lang, str]
    end: Mapping[Lang, str]
    lessons: tuple[str, ...]
    then: str = ""
