"""Metrics for Prometheus: counts since this server's start, and current values.

During games the code only adds to plain numbers. `prometheus_client` names them when the page is requested. Each server
counts its own work, so the sum over all servers is the service's.
"""

import asyncio
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final, NamedTuple, get_args, get_type_hints

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

from fourfold import __version__
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

    def counts(self) -> list[int]:
        """How many durations each interval of `_SECONDS` has, and how many are longer."""
        return [*self._counts]

    def family(self, name: str, meaning: str) -> HistogramMetricFamily:
        """The histogram for Prometheus, in cumulative buckets."""
        total, buckets = 0, []
        for bound, count in zip((*map(str, _SECONDS), "+Inf"), self._counts, strict=True):
            total += count
            buckets.append((bound, total))
        return HistogramMetricFamily(name, meaning, buckets=buckets, sum_value=self._sum)


def quantile(counts: Sequence[int], share: float) -> float | None:
    """The seconds within which a share (0 to 1) of some durations lies, estimated inside its interval; None if there
    are none. `counts` are as in `Histogram.counts`."""
    due, below = share * sum(counts), 0
    if not due:
        return None
    for lower, upper, count in zip((0.0, *_SECONDS), (*_SECONDS, _SECONDS[-1]), counts, strict=True):
        if count and below + count >= due:
            return lower + (upper - lower) * (due - below) / count
        below += count
    return _SECONDS[-1]


class Shown(NamedTuple):
    """The Prometheus form of a number. Numbers by category have a `label`."""

    name: str
    meaning: str
    family: type[CounterMetricFamily] | type[GaugeMetricFamily] = CounterMetricFamily
    label: str = ""


@dataclass(slots=True, eq=False)
class Metrics:
    """The numbers. The code that counts adds to them."""

    moves: Annotated[int, Shown("fourfold_moves", "Moves made by players connected here.")] = 0
    append: Annotated[
        Histogram, Shown("fourfold_append_seconds", "From handing a decision to the log until it is durable.")
    ] = field(default_factory=Histogram)
    decision: Annotated[
        Histogram,
        Shown(
            "fourfold_decision_seconds", "From deciding a command until its players were sent the outcome."
        ),
    ] = field(default_factory=Histogram)
    conflicts: Annotated[
        int, Shown("fourfold_append_conflicts", "Appends that came too late: another node was first.")
    ] = 0
    drops: Annotated[int, Shown("fourfold_outbox_drops", "Connections closed because they did not read in time.")] = 0
    lineages: Annotated[
        int, Shown("fourfold_other_lineages", "Rooms reloaded because the store had lost decisions.")
    ] = 0
    losses: Annotated[int, Shown("fourfold_store_losses", "How often the store has lost data.")] = 0
    rooms_back: Annotated[
        int,
        Shown("fourfold_rooms_back", "Rooms found with fewer decisions than acknowledged.", GaugeMetricFamily),
    ] = 0
    decisions_lost: Annotated[
        int, Shown("fourfold_decisions_lost", "Acknowledged decisions that those rooms lack.", GaugeMetricFamily)
    ] = 0
    quarantined: Annotated[int, Shown("fourfold_quarantined", "Rooms found with an unreadable log.")] = 0
    archive_up: Annotated[bool, Shown("fourfold_archive_up", "Whether the archive answers.", GaugeMetricFamily)] = False
    outages: Annotated[int, Shown("fourfold_outages", "Outages, during which no write could be acknowledged.")] = 0
    outage_seconds: Annotated[
        float, Shown("fourfold_outage_seconds", "Seconds during which no write could be acknowledged.")
    ] = 0.0
    credits: Annotated[int, Shown("fourfold_credits", "Clocks that got time back after an outage.")] = 0
    lag: Annotated[
        Histogram, Shown("fourfold_loop_lag_seconds", "The delay of the event loop, measured once a second.")
    ] = field(default_factory=Histogram)
    archived: Annotated[int, Shown("fourfold_archived", "Games moved to the archive.")] = 0
    archive_errors: Annotated[
        int, Shown("fourfold_archive_errors", "How often the archive did not answer, or refused.")
    ] = 0
    archive_failures: Annotated[
        int, Shown("fourfold_archive_failures", "How often a game could not be archived although the archive answers.")
    ] = 0
    errors: Annotated[Counter[str], Shown("fourfold_errors", "Requests answered with an error.", label="code")] = field(
        default_factory=Counter
    )
    refusals: Annotated[Counter[str], Shown("fourfold_refusals", "Connections turned away.", label="reason")] = field(
        default_factory=Counter
    )

    def observe(self, append: float, decision: float) -> None:
        """Count the durations of a decision."""
        self.append.observe(append)
        self.decision.observe(decision)


LAG: Final = 1.0
"""Seconds between measurements of the event loop's delay."""


async def watch_lag(metrics: Metrics) -> None:
    """Count the event loop's delays, for ever."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LAG
        await asyncio.sleep(LAG)
        metrics.lag.observe(max(0.0, loop.time() - due))


class Gauge(NamedTuple):
    """A current value, computed for the page; None is left out."""

    name: str
    meaning: str
    value: Callable[[], float | None]


class Page(Collector):
    """The page that Prometheus reads: the numbers of `metrics`, and gauges at that moment."""

    def __init__(
        self,
        metrics: Metrics,
        connections: Callable[[], int],
        rooms: Callable[[], Mapping[tuple[str, str], int]],
        tasks: Callable[[], int],
        store_errors: Callable[[], int],
        gauges: Sequence[Gauge] = (),
    ) -> None:
        """`rooms` returns the number of rooms here by variant and status, `tasks` the number of unfinished tasks."""
        self._metrics = metrics
        self._connections = connections
        self._rooms = rooms
        self._tasks = tasks
        self._store_errors = store_errors
        self._gauges = gauges
        self._registry = CollectorRegistry()
        self._registry.register(self)
        for theirs in (ProcessCollector, PlatformCollector, GCCollector):
            theirs(registry=self._registry)

    def text(self) -> str:
        """The whole page."""
        return generate_latest(self._registry).decode()

    async def whole(self) -> str:
        """The same: the metrics of the only process of this server."""
        return self.text()

    def collect(self) -> Iterator[Metric]:
        """The server's own metrics."""
        build = GaugeMetricFamily("fourfold_build_info", "The version that runs; always 1.", labels=("version",))
        build.add_metric((__version__,), 1)
        yield build
        yield GaugeMetricFamily("fourfold_connections", "WebSocket connections open now.", self._connections())
        rooms = GaugeMetricFamily("fourfold_rooms", "Rooms held here now.", labels=("variant", "state"))
        for labels, count in self._rooms().items():
            rooms.add_metric(labels, count)
        yield rooms
        yield GaugeMetricFamily("fourfold_tasks", "Tasks of the event loop that have not ended.", self._tasks())
        for name, meaning, value_now in self._gauges:
            if (now := value_now()) is not None:
                yield GaugeMetricFamily(name, meaning, now)
        for number, hint in get_type_hints(Metrics, include_extras=True).items():
            value, (name, meaning, family, label) = getattr(self._metrics, number), get_args(hint)[1]
            if isinstance(value, Histogram):
                yield value.family(name, meaning)
            else:
                yield _by(name, meaning, label, value) if label else family(name, meaning, value)
        yield _by("fourfold_task_deaths", "Tasks that died, and were restarted.", "task", supervision.DEATHS)
        yield CounterMetricFamily(
            "fourfold_store_errors", "Store requests without an answer, or with an error.", self._store_errors()
        )


def merged(pages: Mapping[str, str]) -> str:
    """The pages of several workers as one. The label `worker` of each sample names its worker."""
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


def _by(name: str, meaning: str, label: str, counts: Mapping[str, int]) -> Metric:
    metric = CounterMetricFamily(name, meaning, labels=(label,))
    for value, count in counts.items():
        metric.add_metric((value,), count)
    return metric
