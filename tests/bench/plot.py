"""Draws the data of `curves`: three panels in one SVG, on a transparent background, in colours that are readable on a
white page and on a dark one."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import Any, BinaryIO, Final

import matplotlib as mpl

mpl.use("svg")
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tests.bench.curves import Curves, Line

INK: Final = "#797979"
"""Text and axes. These three have a contrast above 4 on a white page, and on a nearly black one."""

OURS: Final = "#2a7ae4"
OTHER: Final = "#b86a1f"
STYLE: Final = {
    "svg.hashsalt": "fourfold",
    "font.size": 10,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "axes.titlepad": 12,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.alpha": 0.3,
    "grid.linewidth": 0.7,
    "ytick.left": False,
    "ytick.minor.left": False,
    "lines.linewidth": 2,
    "lines.markersize": 4,
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "axes.titlecolor"), INK),
    **dict.fromkeys(("xtick.color", "ytick.color", "grid.color"), INK),
}


def draw(found: dict[str, Curves], file: BinaryIO) -> None:
    """Write the picture into a file."""
    panels: dict[str, Callable[[Axes, Curves], None]] = {"rooms": _rooms, "plies": _plies, "rates": _rates}
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(11, 3.4), layout="constrained")
        figure.get_layout_engine().set(wspace=0.08)
        for axes, (name, panel) in zip(figure.subplots(1, 3), panels.items(), strict=True):
            panel(axes, found[name])
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})


def _rooms(axes: Axes, curves: Curves) -> None:
    axes.set(title="Processor time of a move, µs", xlabel="rooms of two", xscale="log")
    _line(axes, curves["ours"], OURS, "Fourfold")
    _line(axes, curves["relay"], OTHER, "bare relay")
    _plain_ticks(axes, curves["ours"])
    _from_nothing(axes)


def _plies(axes: Axes, curves: Curves) -> None:
    axes.set(title="Processor time of a move, µs", xlabel="plies played before")
    _line(axes, curves["played"], OURS, "played from the start")
    _line(axes, curves["set up"], OTHER, "the same, set up there")
    _from_nothing(axes)


def _rates(axes: Axes, curves: Curves) -> None:
    axes.set(title="From a move to the opponent, ms", xlabel="moves a second", xscale="log", yscale="log")
    for name, color, title in (("ours", OURS, "Fourfold"), ("relay", OTHER, "bare relay")):
        _line(axes, curves[f"{name}, p50"], color, f"{title}; dashed: 99 %")
        _line(axes, curves[f"{name}, p99"], color, "_of the same", linestyle="--")
    _plain_ticks(axes, curves["relay, p50"])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,g}")
    axes.yaxis.set_minor_formatter(lambda value, _: "")
    low, high = axes.get_ylim()
    axes.set_ylim(low, high * (high / low) ** 0.25)  # the place of the legend
    _legend(axes)


def _from_nothing(axes: Axes) -> None:
    axes.set_ylim(0, axes.get_ylim()[1] * 1.25)  # the place of the legend
    _legend(axes)


def _line(axes: Axes, line: Line, color: str, title: str, **style: Any) -> None:
    """The medians of the rounds, on a band from their minimum to their maximum."""
    places = sorted(line)
    least, most = ([extreme(line[place]) for place in places] for extreme in (min, max))
    axes.fill_between(places, least, most, color=color, alpha=0.15, linewidth=0)
    axes.plot(places, [median(line[place]) for place in places], color=color, marker="o", label=title, **style)


def _legend(axes: Axes) -> None:
    axes.legend(loc="upper left", frameon=False, labelcolor="linecolor", borderaxespad=0.2, handlelength=2.4)


def _plain_ticks(axes: Axes, line: Line) -> None:
    """Ticks at the points of a line, on a logarithmic axis."""
    axes.set_xticks(sorted(line), [f"{place:,g}" for place in sorted(line)])
    axes.xaxis.set_minor_formatter(lambda value, _: "")
    axes.tick_params(axis="x", which="minor", bottom=False)
