"""The project's own course. Loading takes seconds, so it is loaded once for all tests of a worker."""

import functools

from app.lessons.course.catalogue import Catalogue, load_catalogue
from app.settings import PROJECT


@functools.cache
def load_own_course() -> Catalogue:
    return load_catalogue(PROJECT / "lessons")
