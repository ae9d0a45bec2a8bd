"""Metrics for Prometheus: what this server has done since it started, and what it holds now.

While games are played only plain numbers are added to; `prometheus_client` names them when the page is asked for. Each
server counts its own work, so the sum over all servers is the service's.
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
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from fourfold.server import supervision

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Histogram:
    """A histogram of durations in seconds."""

    __slots__ = ("_counts", "_sum")

    def __init__(self) -> None:
        self._counts = [0] * (len(_SECONDS) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        """Count one duration."""
        self._counts[bisect_left(_SECONDS, seconds)] += 1
        self._sum += seconds

    def family(self, name: str, meaning: str) -> HistogramMetricFamily:
        """The histogram for Prometheus: how many durations were at most so long."""
        total, buckets = 0, []
        for bound, count in zip((*map(str, _SECONDS), "+Inf"), self._counts, strict=True):
            total += count
            buckets.append((bound, total))
        return HistogramMetricFamily(name, meaning, buckets=buckets, sum_value=self._sum)


class Metrics:
    """The numbers. Whatever is counted adds to them."""

    def __init__(self) -> None:
        self.moves = 0
        """Moves made by players connected here."""
        self.conflicts = 0
        """Appends that conflicted: another server was first."""
        self.lineages = 0
        """Rooms that were read again because the store had lost part of their log."""
        self.losses = 0
        """How many times the store has lost data."""
        self.quarantined = 0
        """Rooms whose log can't be read."""
        self.drops = 0
        """Connections closed because the client did not read in time."""
        self.archived = 0
        """Games handed to the archive."""
        self.archive_errors = 0
        """How often the archive did not answer, or refused."""
        self.archive_failures = 0
        """How often a game could not be archived although the archive answers."""
        self.archive_waiting = 0
        """Rooms that are due to be archived, and wait."""
        self.archive_up = False
        """Whether the archive answered last time it was asked."""
        self.append = Histogram()
        """From handing a decision to the log until it is durable."""
        self.decision = Histogram()
        """From judging a command until the players are sent its outcome."""
        self.errors: Counter[str] = Counter()
        """Requests answered by an error, by its code."""
        self.refusals: Counter[str] = Counter()
        """Connections denied, by reason."""

    def observe(self, append: float, decision: float) -> None:
        """Count the durations of a decision."""
        self.append.observe(append)
        self.decision.observe(decision)


class Page(Collector):
    """The page that Prometheus reads: the numbers of `metrics`, and gauges of that moment."""

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
        """The whole page."""
        return generate_latest(self._registry).decode()

    async def whole(self) -> str:
        """The same: the metrics of the only server there is."""
        return self.text()

    def collect(self) -> Iterator[Metric]:
        """The server's own metrics."""
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
        yield GaugeMetricFamily("fourfold_archive_up", "Whether the archive answers.", int(metrics.archive_up))
        yield GaugeMetricFamily(
            "fourfold_archive_waiting", "Rooms held here that wait to be archived.", metrics.archive_waiting
        )
        yield CounterMetricFamily("fourfold_archived", "Games handed to the archive.", metrics.archived)
        yield CounterMetricFamily(
            "fourfold_archive_errors", "How often the archive did not answer, or refused.", metrics.archive_errors
        )
        yield CounterMetricFamily(
            "fourfold_archive_failures", "How often a game could not be archived.", metrics.archive_failures
        )
        errors = [((code,), count) for code, count in metrics.errors.items()]
        yield _by("fourfold_errors", "Requests answered by an error.", ("code",), errors, CounterMetricFamily)
        refusals = [((reason,), count) for reason, count in metrics.refusals.items()]
        yield _by("fourfold_refusals", "Connections turned away.", ("reason",), refusals, CounterMetricFamily)
        deaths = [((task,), count) for task, count in supervision.DEATHS.items()]
        yield _by("fourfold_task_deaths", "Tasks that died, and began anew.", ("task",), deaths, CounterMetricFamily)
        yield CounterMetricFamily(
            "fourfold_store_errors", "Answers that the store did not give, or gave as errors.", self._store_errors()
        )


def merged(pages: Mapping[str, str]) -> str:
    """The pages of several workers as one, by their names: each sample says in its label `worker` whose it is."""
    families: dict[str, Metric] = {}
    for worker, page in sorted(pages.items()):
        for family in text_string_to_metric_families(page):
            whole = families.setdefault(family.name, Metric(family.name, family.documentation, family.type))
            whole.samples += [one._replace(labels={**one.labels, "worker": worker}) for one in family.samples]
    registry = CollectorRegistry()
    registry.register(_Families(families.values()))
    return generate_latest(registry).decode()


class _Families(Collector):
    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families


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
