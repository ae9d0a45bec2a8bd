"""What the arena says of a match: a sentence, or an object for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fourfold.clients.bots.arena.game import Played
from fourfold.clients.bots.arena.match import Score
from fourfold.clients.bots.arena.pairing import Player
from fourfold.clients.bots.arena.statistics import elo, elo_error, error_of, pentanomial


def report(
    score: Score, players: tuple[Player, Player], expected: float, played: Sequence[Played], *, by_rounds: bool
) -> dict[str, Any]:
    """A match as an object for JSON. Equal players would have the `expected` share. The error is that of the rounds if
    `by_rounds`, otherwise that of the games."""
    points, rounds = score.points, score.rounds
    games, wins, losses = len(points), points.count(1.0), points.count(0.0)
    share = sum(points) / games
    margin = error_of(rounds if by_rounds and rounds else points)
    high, low = (player.name for player in players)
    found: dict[str, Any] = {
        "games": games,
        "score": {high: round(share, 4), low: round(1 - share, 4)},
        "elo": round(elo(share, expected), 1),
        "error": round(elo_error(share, margin, expected), 1),
        "margin": round(margin, 4),
        "expected": expected,
        "wins": wins,
        "draws": games - wins - losses,
        "losses": losses,
        "points": round(sum(points), 2),
        "seconds": [seconds_each(played, side) for side in (0, 1)],
    }
    if by_rounds and score.games == 2:
        found["pentanomial"] = pentanomial(rounds)
    if score.test is not None and score.ratio is not None:
        found |= {"llr": round(score.ratio, 2), "bound": round(score.test.upper, 2), "accepted": score.verdict}
    return found


def seconds_each(played: Sequence[Played], side: int) -> float | None:
    """A side's processor time for a move, on average; None if it is not known."""
    seconds = [game.seconds[side] for game in played]
    chosen = sum(game.chosen[side] for game in played)
    known = [each for each in seconds if each is not None]
    return round(sum(known) / chosen, 4) if chosen and len(known) == len(seconds) else None


def sentences(variant: str, players: tuple[Player, Player], found: dict[str, Any], score: Score) -> str:
    """The same for people: the points, and a second line with what is known besides."""
    high, low = found["score"]
    who = f"level {high}" if players[0].engine is None else high
    text = (
        f"{variant}: {who} against {low}: {found['points']} points of {found['games']} games "
        f"(+{found['wins']} ={found['draws']} -{found['losses']}), "
        f"{100 * found['score'][high]:.1f} % ± {100 * found['margin']:.1f}, Elo {found['elo']:+} ± {found['error']}"
    )
    more = []
    if "pentanomial" in found:
        more.append(f"pairs {' '.join(map(str, found['pentanomial']))}")
    if score.test is not None and "llr" in found:
        wanted = f"Elo {score.test.elo0:g} (H0) or {score.test.elo1:g} (H1)"
        decided = f"{found['accepted']} accepted" if found["accepted"] else "open"
        more.append(f"LLR {found['llr']} of ±{found['bound']}, {wanted}: {decided}")
    if players[0].engine is not None or players[1].engine is not None:
        each = ["unknown" if seconds is None else f"{seconds:.3f} s" for seconds in found["seconds"]]
        more.append(f"processor time a move {each[0]} and {each[1]}")
    return text + (f"\n  {'; '.join(more)}" if more else "")
