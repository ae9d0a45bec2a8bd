"""The vital signs of a server: samples of what happened between two looks, for an hour."""

from collections import Counter

import pytest

from fourfold.server.metrics import Metrics, quantile
from fourfold.server.vitals import KEPT, History, Hour, Reading, Vitals, memory


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


async def test_a_sample_has_what_happened_since_the_one_before(moment: Moment) -> None:
    metrics = Metrics(moves=100, errors=Counter({"stale": 7}))
    rooms = {("standard", "playing"): 3, ("ffa", "playing"): 1, ("ffa", "open"): 2}
    vitals = Vitals(metrics, moment, lambda: 12, lambda: rooms)
    moment.now += 15_000
    metrics.moves += 30
    metrics.errors.update({"stale": 1, "not_your_turn": 2})
    for seconds in (0.0015, 0.003):
        metrics.append.observe(seconds)
    vitals.sample()
    ((first,), _) = await vitals.history(0)
    assert (first.at, first.connections, first.rooms, first.playing) == (15_000, 12, 6, 4)
    assert (first.moves, first.errors) == (2.0, 3) and first.append is not None and 2 < first.append <= 5
    moment.now += 15_000
    metrics.errors.update({"stale": 1})
    vitals.sample()
    second, errors = await vitals.history(first.at)
    assert [(one.moves, one.append, one.errors) for one in second] == [(0.0, None, 1)]
    assert errors == {"stale": 2, "not_your_turn": 2}


async def test_an_hour_is_kept(moment: Moment) -> None:
    metrics = Metrics()
    vitals = Vitals(metrics, moment, lambda: 0, dict)
    for _ in range(KEPT + 5):
        moment.now += 15_000
        metrics.errors["stale"] += 1
        vitals.sample()
    samples, errors = await vitals.history(0)
    assert len(samples) == KEPT == errors["stale"]


def test_a_reading_a_little_early_is_of_its_moment(moment: Moment) -> None:
    told = Told()
    vitals = Vitals(Metrics(), moment, lambda: 0, dict, told)
    for moment.now in (29_700, 45_200):
        vitals.sample()
    assert [one.slot for one in told.readings] == [2, 3]


class Told:
    """Other processes, which remember what they heard, and answer with one sample, or not at all."""

    def __init__(self, whole: History | None = None) -> None:
        self.readings: list[Reading] = []
        self.whole = whole

    def tell(self, reading: Reading) -> None:
        self.readings.append(reading)

    async def history(self, since: int) -> History | None:
        return self.whole


async def test_a_worker_has_the_history_of_all_or_its_own(moment: Moment) -> None:
    told = Told(History([], {"stale": 70}))
    vitals = Vitals(Metrics(), moment, lambda: 3, dict, told)
    vitals.sample()
    assert [one.connections for one in told.readings] == [3]
    assert await vitals.history(0) == told.whole
    told.whole = None
    moment.now += 15_000
    vitals.sample()
    assert [one.connections for one in (await vitals.history(0)).samples] == [3]


def reading(slot: int, connections: int, slow: int = 0) -> Reading:
    """A reading with two moves a second, and some appends of a tenth to a quarter of a second beside 98 fast ones."""
    appends = [98, *[0] * 7, slow, *[0] * 6]
    return Reading(slot, connections, 5, 4, 2.0, appends, 1_000_000, {"stale": 1})


def test_the_readings_of_all_processes_are_summed() -> None:
    hour = Hour()
    hour.add(1, reading(10, 7))
    hour.add(2, reading(10, 30, slow=2))
    (sample,), errors = hour.since(0)
    assert sample[:5] == (150_000, 37, 10, 8, 4.0) and sample[6:] == (2_000_000, 2)
    assert sample.append is not None and 100 < sample.append <= 250  # of all appends, not the mean of two percentiles
    assert errors == {"stale": 2}


def test_the_newest_sample_waits_for_all_that_are_in_the_one_before() -> None:
    hour = Hour()
    hour.add(1, reading(10, 1))
    hour.add(2, reading(10, 1))
    hour.add(1, reading(11, 1))
    assert [one.at for one in hour.since(0).samples] == [150_000]
    hour.add(3, reading(11, 1))  # a third one has just started
    assert [one.at for one in hour.since(0).samples] == [150_000]
    hour.add(2, reading(11, 1))
    assert [(one.at, one.connections) for one in hour.since(150_000).samples] == [(165_000, 3)]


def test_a_process_that_has_ended_delays_one_sample_and_keeps_its_past() -> None:
    hour = Hour()
    hour.add(1, reading(10, 1))
    hour.add(2, reading(10, 4))
    hour.add(1, reading(11, 1))
    hour.add(1, reading(12, 1))
    assert [one.connections for one in hour.since(0).samples] == [5, 1, 1]


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
