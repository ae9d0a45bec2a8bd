"""The list of variants, and the starting positions of their games."""

from __future__ import annotations

from fourfold.engine.fourplayer.antichess import ANTICHESS_FOR_FOUR
from fourfold.engine.fourplayer.hill import HILL_FOR_FOUR
from fourfold.engine.fourplayer.rules import FFA, SURVIVOR, TEAMS
from fourfold.engine.fourplayer.self_partner import SELF_PARTNER
from fourfold.engine.fourplayer.three_check import THREE_CHECK_FOR_FOUR
from fourfold.engine.fourplayer.three_players import THREE_PLAYERS
from fourfold.engine.position import LISTED, Position, Variant, rules_of
from fourfold.engine.twoplayer.antichess import ANTICHESS
from fourfold.engine.twoplayer.atomic import ATOMIC
from fourfold.engine.twoplayer.chess960 import CHESS960
from fourfold.engine.twoplayer.crazyhouse import CRAZYHOUSE
from fourfold.engine.twoplayer.horde import HORDE
from fourfold.engine.twoplayer.king_of_the_hill import KING_OF_THE_HILL
from fourfold.engine.twoplayer.racing_kings import RACING_KINGS
from fourfold.engine.twoplayer.rules import STANDARD
from fourfold.engine.twoplayer.three_check import THREE_CHECK

__all__ = ["VARIANTS", "begins_as_usual", "opening", "opening_of", "player_seats", "rules_of", "seats"]

VARIANTS = LISTED
"""The variants by name, in the order for menus."""

for _rules in (
    STANDARD, SURVIVOR, FFA, TEAMS, CHESS960, KING_OF_THE_HILL, THREE_CHECK, CRAZYHOUSE, ATOMIC, ANTICHESS, HORDE,
    RACING_KINGS, HILL_FOR_FOUR, THREE_CHECK_FOR_FOUR, ANTICHESS_FOR_FOUR, THREE_PLAYERS, SELF_PARTNER,
):  # fmt: skip
    VARIANTS[_rules.name] = _rules


def seats(variant: str) -> tuple[str, ...]:
    """The colours of a variant's seats, in the order of turns. Raises `InvalidNotation` (`unknown_variant`)."""
    return tuple(seat.name for seat in rules_of(variant).seats)


def player_seats(variant: str) -> tuple[str, ...]:
    """The first seat of each player: all seats, unless one player has a team. Raises the same."""
    rules = rules_of(variant)
    return tuple(rules.seats[seat].name for seat in rules.players)


def opening(variant: str, *, setup: str | None = None, position: str | None = None, seed: int = 0) -> Position:
    """The same as `Position.start`; `position` is a FEN or FEN4."""
    return Position.start(variant, setup, fen=position, seed=seed)


def opening_of(rules: Variant, *, setup: str | None = None, position: str | None = None, seed: int = 0) -> Position:
    """The same as `opening`, for a `Variant` record instead of a name."""
    return Position.start(rules, setup, fen=position, seed=seed)


def begins_as_usual(position: Position) -> bool:
    """Whether this is the variant's default starting position."""
    rules = rules_of(position.variant)
    return not rules.draws_start and position.fen() == opening_of(rules).fen()
