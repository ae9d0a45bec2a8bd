"""What a server has done since it started, and what it holds now, as Prometheus reads it.

On the road of a move nothing is done but adding to numbers of our own; `prometheus_client` sees them,
and names them, only when it is asked for the page. A node counts what it has done itself: the sum
over the nodes is the service's.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from fourfold.server import supervision

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Histogram:
    """How often what took how long, in seconds."""

    __slots__ = ("_counts", "_sum")

    def __init__(self) -> None:
        self._counts = [0] * (len(_SECONDS) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        """One more."""
        self._counts[bisect_left(_SECONDS, seconds)] += 1
        self._sum += seconds

    def family(self, name: str, meaning: str) -> HistogramMetricFamily:
        """As Prometheus wants it: counts of what took at most so long."""
        total, buckets = 0, []
        for bound, count in zip((*map(str, _SECONDS), "+Inf"), self._counts, strict=True):
            total += count
            buckets.append((bound, total))
        return HistogramMetricFamily(name, meaning, buckets=buckets, sum_value=self._sum)


class Metrics:
    """The numbers, which whoever does something worth counting adds to."""

    def __init__(self) -> None:
        self.moves = 0
        """Moves made by players connected here."""
        self.conflicts = 0
        """Appends that came too late: another node was first."""
        self.lineages = 0
        """Rooms read anew because the store had lost what was held here."""
        self.losses = 0
        """How often the store has lost something."""
        self.quarantined = 0
        """Rooms found here whose log can't be read."""
        self.drops = 0
        """Connections closed because they did not read in time."""
        self.append = Histogram()
        """From handing a decision to the log until it is durable."""
        self.decision = Histogram()
        """From judging a command until its players have been sent what became of it."""
        self.errors: Counter[str] = Counter()
        """Requests answered by an error, by its code."""
        self.refusals: Counter[str] = Counter()
        """Connections turned away, by reason."""


class Page(Collector):
    """The page that Prometheus asks for: the numbers of `metrics`, and what there is at that moment."""

    def __init__(
        self,
        metrics: Metrics,
        connections: Callable[[], int],
        rooms: Callable[[], Mapping[tuple[str, str], int]],
        tasks: Callable[[], int],
        store_errors: Callable[[], int],
    ) -> None:
        """`rooms` counts those held here by variant and status, `tasks` what the event loop has not finished."""
        self._metrics = metrics
        self._connections = connections
        self._rooms = rooms
        self._tasks = tasks
        self._store_errors = store_errors
        self._registry = CollectorRegistry()
        self._registry.register(self)
        for theirs in (ProcessCollector, PlatformCollector, GCCollector):
            theirs(registry=self._registry)

    def text(self) -> str:
        """All of it."""
        return generate_latest(self._registry).decode()

    def collect(self) -> Iterator[Metric]:
        """Our part of it."""
        metrics = self._metrics
        yield GaugeMetricFamily("fourfold_connections", "WebSocket connections open now.", self._connections())
        rooms = self._rooms().items()
        yield _by("fourfold_rooms", "Rooms held here now.", ("variant", "state"), rooms, GaugeMetricFamily)
        yield GaugeMetricFamily("fourfold_tasks", "Tasks of the event loop that have not ended.", self._tasks())
        yield CounterMetricFamily("fourfold_moves", "Moves made by players connected here.", metrics.moves)
        yield metrics.append.family(
            "fourfold_append_seconds", "From handing a decision to the log until it is durable."
        )
        yield metrics.decision.family(
            "fourfold_decision_seconds", "From judging a command until its players have been sent what became of it."
        )
        yield CounterMetricFamily(
            "fourfold_append_conflicts", "Appends that came too late: another node was first.", metrics.conflicts
        )
        yield CounterMetricFamily(
            "fourfold_outbox_drops", "Connections closed because they did not read in time.", metrics.drops
        )
        yield CounterMetricFamily(
            "fourfold_other_lineages", "Rooms read anew: the store had lost what was held here.", metrics.lineages
        )
        yield CounterMetricFamily("fourfold_store_losses", "How often the store has lost something.", metrics.losses)
        yield CounterMetricFamily("fourfold_quarantined", "Rooms found whose log can't be read.", metrics.quarantined)
        errors = [((code,), count) for code, count in metrics.errors.items()]
        yield _by("fourfold_errors", "Requests answered by an error.", ("code",), errors, CounterMetricFamily)
        refusals = [((reason,), count) for reason, count in metrics.refusals.items()]
        yield _by("fourfold_refusals", "Connections turned away.", ("reason",), refusals, CounterMetricFamily)
        deaths = [((task,), count) for task, count in supervision.DEATHS.items()]
        yield _by("fourfold_task_deaths", "Tasks that died, and began anew.", ("task",), deaths, CounterMetricFamily)
        yield CounterMetricFamily(
            "fourfold_store_errors", "Answers that the store did not give, or gave as errors.", self._store_errors()
        )


def _by(
    name: str,
    meaning: str,
    labels: tuple[str, ...],
    counts: Iterable[tuple[tuple[str, ...], int]],
    family: type[GaugeMetricFamily] | type[CounterMetricFamily],
) -> Metric:
    metric = family(name, meaning, labels=labels)
    for values, count in counts:
        metric.add_metric(values, count)
    return metric
