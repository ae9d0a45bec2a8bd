"""The vital signs of a server: samples of what happened between two looks, for an hour."""

from collections import Counter

import pytest

from fourfold.server.metrics import Metrics, quantile
from fourfold.server.vitals import KEPT, Vitals, memory


class Moment:
    """A time that the test moves on."""

    def __init__(self) -> None:
        self.now = 1_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> Moment:
    found = Moment()
    monkeypatch.setattr("fourfold.server.vitals.monotonic", lambda: found.now / 1000)
    return found


def test_a_sample_has_what_happened_since_the_one_before(moment: Moment) -> None:
    metrics = Metrics(moves=100, errors=Counter({"stale": 7}))
    rooms = {("standard", "playing"): 3, ("ffa", "playing"): 1, ("ffa", "open"): 2}
    vitals = Vitals(metrics, moment, lambda: 12, lambda: rooms)
    moment.now += 15_000
    metrics.moves += 30
    metrics.errors.update({"stale": 1, "not_your_turn": 2})
    for seconds in (0.0015, 0.003):
        metrics.append.observe(seconds)
    vitals.sample()
    (first,) = vitals.samples(0)
    assert (first.at, first.connections, first.rooms, first.playing) == (16_000, 12, 6, 4)
    assert (first.moves, first.errors) == (2.0, 3) and first.append is not None and 2 < first.append <= 5
    moment.now += 15_000
    metrics.errors.update({"stale": 1})
    vitals.sample()
    second = vitals.samples(first.at)
    assert [(one.moves, one.append, one.errors) for one in second] == [(0.0, None, 1)]
    assert vitals.errors() == {"stale": 2, "not_your_turn": 2}


def test_an_hour_is_kept(moment: Moment) -> None:
    metrics = Metrics()
    vitals = Vitals(metrics, moment, lambda: 0, dict)
    for _ in range(KEPT + 5):
        moment.now += 15_000
        metrics.errors["stale"] += 1
        vitals.sample()
    assert len(vitals.samples(0)) == KEPT == vitals.errors()["stale"]


@pytest.mark.parametrize(
    ("observed", "share", "low", "high"),
    [
        ([0.003] * 100, 0.99, 0.002, 0.005),
        ([0.0001] * 98 + [0.3] * 2, 0.99, 0.25, 0.5),
        ([0.0001] * 99 + [0.3], 0.99, 0.0, 0.0005),
        ([60.0], 0.99, 10.0, 10.0),
    ],
)
def test_a_quantile_lies_in_its_interval(observed: list[float], share: float, low: float, high: float) -> None:
    metrics = Metrics()
    for seconds in observed:
        metrics.append.observe(seconds)
    found = quantile(metrics.append.counts(), share)
    assert found is not None and low <= found <= high


def test_nothing_has_no_quantile() -> None:
    assert quantile(Metrics().append.counts(), 0.99) is None


def test_the_memory_is_that_of_a_python_process() -> None:
    assert 5 * 10**6 < memory() < 10**11
