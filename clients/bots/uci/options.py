"""The options of our levels as a UCI engine: names, possible values, and present values.

`UCI_Variant` has the names of chess programs for variants; our names are accepted too. With `UCI_Chess960`, ``chess``
is Chess960. With `UCI_LimitStrength`, level 5 plays with the strength `UCI_Elo`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from fourfold.clients.bots.levels import LEVELS
from fourfold.clients.bots.levels.strength import STRONGEST, WEAKEST, Strength, strength
from fourfold.clients.bots.search.alpha_beta import FULL
from fourfold.engine.variants import VARIANTS

CALLED: Final = {"standard": "chess", "threecheck": "3check"}
"""The names of chess programs for variants, where they differ from ours."""

ENTRY: Final = 350
"""Bytes of memory for each remembered position, as measured for two players; among four it is a third."""

_MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Option:
    """An option with its default: a number (`spin`) with its range, or a text (`combo`) with its choices."""

    name: str
    type: str
    default: str = ""
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The option as the engine declares it."""
        words = [f"option name {self.name} type {self.type}"]
        if self.type != "button":
            words.append(f"default {self.default}")
        if self.type == "spin":
            words.append(f"min {self.least} max {self.most}")
        return " ".join(words + [f"var {choice}" for choice in self.choices])

    def allows(self, value: str) -> bool:
        """Whether a value is allowed."""
        match self.type:
            case "spin":
                return value.isdecimal() and self.least <= int(value) <= self.most
            case "check":
                return value in ("true", "false")
            case "combo":
                return value in self.choices or value in VARIANTS
        return not value


class Options:
    """All options of one engine, with their values."""

    def __init__(self, level: int, variant: str) -> None:
        names = tuple(CALLED.get(name, name) for name in VARIANTS)
        hash_size = FULL * ENTRY // _MIB
        options = (
            Option("Level", "spin", str(level), LEVELS[0], LEVELS[-1]),
            Option("UCI_Variant", "combo", CALLED.get(variant, variant), choices=names),
            Option("UCI_Chess960", "check", "false"),
            Option("Hash", "spin", str(hash_size), 1, 4096),
            Option("Clear Hash", "button"),
            Option("Threads", "spin", "1", 1, 1),
            Option("MultiPV", "spin", "1", 1, 20),
            Option("Ponder", "check", "false"),
            Option("Move Overhead", "spin", "50", 0, 10_000),
            Option("UCI_AnalyseMode", "check", "false"),
            Option("UCI_LimitStrength", "check", "false"),
            Option("UCI_Elo", "spin", str(WEAKEST), WEAKEST, STRONGEST),
        )
        self._options = {option.name.lower(): option for option in options}
        self._values = {name: option.default for name, option in self._options.items()}

    def __iter__(self) -> Iterator[Option]:
        return iter(self._options.values())

    def set(self, name: str, value: str) -> str | None:
        """Set an option, by its name in any case. Return an error message, or None."""
        option = self._options.get(name.lower())
        if option is None:
            return f"there is no option '{name}'"
        if not option.allows(value):
            numbers = f": it is a number from {option.least} to {option.most}" if option.type == "spin" else ""
            return f"{option.name} cannot be '{value}'{numbers}"
        self._values[name.lower()] = CALLED.get(value, value)
        return None

    def _number(self, name: str) -> int:
        return int(self._values[name])

    @property
    def level(self) -> int:
        """The level that plays."""
        return self._number("level")

    @property
    def variant(self) -> str:
        """The variant to play."""
        called = self._values["uci_variant"]
        if called == "chess" and self._values["uci_chess960"] == "true":
            return "chess960"
        return next(name for name in VARIANTS if CALLED.get(name, name) == called)

    @property
    def strength(self) -> Strength | None:
        """The strength of level 5; None if it is not limited."""
        limited = self._values["uci_limitstrength"] == "true"
        return strength(self._number("uci_elo")) if limited else None

    @property
    def memory(self) -> int:
        """The most positions that a search remembers."""
        return self._number("hash") * _MIB // ENTRY

    @property
    def lines(self) -> int:
        """The number of lines that an analysis reports."""
        return self._number("multipv")

    @property
    def overhead(self) -> int:
        """The cost of a move besides thinking, in milliseconds."""
        return self._number("move overhead")

    @property
    def analysing(self) -> bool:
        """Whether the next searches are analyses."""
        return self._values["uci_analysemode"] == "true"
