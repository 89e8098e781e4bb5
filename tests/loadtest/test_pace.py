"""When simulated learners arrive and press Run."""

import random

import pytest

from app.loadtest.pace import Pace


def test_forty_learners_come_within_ten_seconds() -> None:
    arrivals = [Pace(40, 120).arrival(random.Random(number)) for number in range(400)]
    assert 9 < max(arrivals) <= 10


def test_three_hundred_come_no_faster_and_all_before_the_first_wave() -> None:
    pace = Pace(300, 120)
    arrivals = [pace.arrival(random.Random(number)) for number in range(400)]
    assert 25 < max(arrivals) <= 30 < pace.waves[0]


@pytest.mark.parametrize("seconds", [6, 120])
def test_who_would_press_near_a_wave_presses_with_all_others(seconds: float) -> None:
    pace = Pace(40, seconds)
    wave = pace.waves[0]
    for number in range(100):
        at, number_of_wave = pace.press(wave - 0.001 * seconds, random.Random(number))
        assert number_of_wave == 0
        assert wave <= at <= wave + 1


def test_who_presses_long_before_a_wave_does_so_alone() -> None:
    pace = Pace(40, 600)
    at, wave = pace.press(20, random.Random(0))
    assert wave is None
    assert 24 <= at <= 36


def test_the_last_wave_is_before_the_end() -> None:
    pace = Pace(40, 6)
    assert max(pace.waves) + pace.haste < pace.seconds


def test_the_same_seed_is_the_same_class() -> None:
    assert Pace(40, 120).press(0, random.Random("0/7")) == Pace(40, 120).press(0, random.Random("0/7"))
