"""Measures how many of the mates in real four-player games, each against all, the search finds.

python -m tests.bench.mates FILE.pgn4 [--games 1000] [--share 0.05]

from the root of the repository. In every position of the games, all mates in one are compared with the result of
`forced_among_four`, which level 5 plays, and which analyses and reviews show first. Searches forced mates in two with
every move and reply, on the engine's own positions: those where the player mates within a round of the game, and a
share of the others. Prints how many exist and how many were found, and each position in which the two differ.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

from fourfold.clients.bots.search.mates_among_four import each_alone, forced_among_four
from fourfold.engine.moves import Move
from fourfold.engine.notation import pgn4
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position

MATED = (Termination.CHECKMATE, Termination.KING_CAPTURED)


def mates(position: Position, move: Move) -> bool:
    """Whether a move eliminates another player, by mate or by capturing the king, without losing the game."""
    after, mover = position.play(move), position.turn
    out = any(gone.seat != mover and gone.reason in MATED for gone in after.eliminated)
    return out and mover in after.alive and (after.outcome is None or mover in after.outcome.winners)


def holds(position: Position, own: int) -> bool:
    """Whether a seat can force mate at its next turn."""
    if position.outcome is not None or own not in position.alive or not position.legal_moves:
        return False
    if position.turn == own:
        return any(mates(position, move) for move in position.legal_moves)
    return all(holds(position.play(reply), own) for reply in position.legal_moves)


def in_two(position: Position) -> Iterator[Move]:
    """The moves after which nobody can prevent a mate with the next one."""
    for move in position.legal_moves:
        after = position.play(move)
        if after.outcome is None and holds(after, position.turn):
            yield move


def positions(path: Path, most: int) -> Iterator[tuple[str, Position, bool]]:
    """The usable positions of a file's games: the place, the position, and whether its player mates in the game within
    a round."""
    for number, game in enumerate(pgn4.read(path.read_text(encoding="utf-8")), start=1):
        if number > most:
            return
        steps = [step for step in game.line.steps if step.move is not None]
        before = [game.start, *(step.after for step in steps)]
        for ply, position in enumerate(before[:-1]):
            move = steps[ply].move
            if not each_alone(position) or position.walk is not None or move not in position.legal_moves:
                continue
            later = range(ply + 1, min(ply + 5, len(steps)))
            soon = any(before[at].turn == position.turn and _mates(before[at], steps[at].move) for at in later)
            yield f"game {game.tags.get('GameNr', number)}, ply {ply}", position, soon


def _mates(position: Position, move: Move | None) -> bool:
    return move is not None and position.walk is None and move in position.legal_moves and mates(position, move)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.mates", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--share", type=float, default=0.05, help="of the positions without a mate soon (default 0.05)")
    wish = parser.parse_args()
    chance = random.Random(0)
    seen = ones = found_ones = searched = twos = found_twos = wrong = 0
    for where, position, soon in positions(wish.file, wish.games):
        seen += 1
        told = forced_among_four(position)
        now = [move for move in position.legal_moves if mates(position, move)]
        if now:
            ones += 1
            found_ones += told in now
            if told not in now:
                print(f"{where}: missed {now[0].text}: {position.fen()}", flush=True)
        elif soon or told is not None or chance.random() < wish.share:
            searched += 1
            sure = set(in_two(position))
            twos += bool(sure)
            found_twos += bool(sure) and told in sure
            wrong += told is not None and told not in sure
            if (told in sure) != bool(sure) or (told is not None and told not in sure):
                moves = " ".join(move.text for move in sure)
                print(f"{where}: told {told and told.text}, sure are: {moves}: {position.fen()}", flush=True)
    print(f"{seen} positions; mates in one: {found_ones} of {ones} found; in {searched} positions looked through, "
          f"mates in two: {found_twos} of {twos} found, {wrong} told that are none")


if __name__ == "__main__":
    main()
