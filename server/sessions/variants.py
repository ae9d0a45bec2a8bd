"""The engine's variants, as messages of the protocol."""

from functools import cache

from fourfold.engine.fourplayer import scoring
from fourfold.engine.geometry import EAST, NORTH, SOUTH, WEST
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Variant
from fourfold.engine.variants import VARIANTS
from fourfold.protocol import variants as wire

_WAYS = {NORTH: "north", EAST: "east", SOUTH: "south", WEST: "west"}


@cache
def variants() -> list[wire.Variant]:
    """All variants, in the engine's order."""
    return [_variant(rules) for rules in VARIANTS.values()]


def _variant(rules: Variant) -> wire.Variant:
    return wire.Variant(
        variant=rules.name,
        title=rules.title,
        summary=rules.summary,
        seats=[
            wire.Side(seat.name, seat.letter, team, _WAYS[seat.forward])
            for seat, team in zip(rules.seats, rules.teams, strict=True)
        ],
        board=_board(rules),
        starts=_starts(rules),
        promotion_rank=rules.promotion_depth,
        promotions=[wire.Promotion(kind.promotion_letter, kind.letter) for kind in rules.promotions],
        worth=_values(rules),
        points=_points(rules) if rules.scored else None,
        en_passant=rules.en_passant,
        dead_kings_walk=rules.dead_kings_walk,
        stalemate="win" if rules.giveaway else "out" if rules.stalemate_eliminates else "draw",
        lone_minors_draw=rules.minor_pieces_draw,
        moves_without_progress=rules.moves_without_progress,
        claims=[claim.value for claim in rules.referee.claims(rules)],
        drops=[kind.letter for kind in rules.drops],
        one_player_a_team=rules.one_player_a_team,
    )


def _board(rules: Variant) -> wire.Board:
    board = rules.geometry
    return wire.Board(board.files, board.ranks, board.missing())


def _starts(rules: Variant) -> list[wire.Array]:
    names: dict[str, list[str]] = {}
    for name, position in rules.starts[:1] if rules.draws_start else rules.starts:
        names.setdefault(position, []).append(name)
    return [wire.Array(called, position) for position, called in names.items()]


def _values(rules: Variant) -> dict[str, int]:
    kinds = [
        kind
        for kind in PieceKind
        if kind < PieceKind.KING or kind in rules.promotions
    ]
    return {kind.letter: rules.values[kind] for kind in kinds}


def _points(rules: Variant) -> wire.Points:
    return wire.Points(
        pieces=_values(rules),
        king=scoring.KING,
        stalemate=scoring.KING,
        walking_stalemate=scoring.DRAW,
        draw=scoring.DRAW,
        last=scoring.KING,
        checks=[wire.MultiCheck(kings, queen, other) for kings, (queen, other) in scoring.BONUS.items()],
        lead=rules.claim_lead,
    )
