"""What an address below a lesson names. Each raises Missing where there is no such thing."""

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Lesson
from app.lessons.model.prediction import Prediction
from app.locale.messages import mark
from app.web.http.errors import Missing


def find_lesson(catalogue: Catalogue, path: str) -> Lesson:
    lesson = catalogue.lesson(path)
    if lesson is None:
        raise Missing("no_such_lesson", mark("There is no such lesson."), "lesson")
    return lesson


def find_exercise(lesson: Lesson, exercise_id: str) -> Exercise:
    exercise = lesson.exercise(exercise_id)
    if exercise is None:
        raise Missing("no_such_exercise", mark("The lesson has no such exercise."), "exercise")
    return exercise


def find_prediction(lesson: Lesson, prediction_id: str) -> Prediction:
    prediction = lesson.prediction(prediction_id)
    if prediction is None:
        raise Missing("no_such_prediction", mark("The lesson has no such prediction."), "prediction")
    return prediction
