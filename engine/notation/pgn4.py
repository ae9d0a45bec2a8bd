"""PGN4, chess.com's format of games for four players, with the moves of `fourplayer.lan`.

``..`` separates plies, and a line has one round of moves. ``R``, ``T`` and ``S`` in a player's turn mean a resignation,
a loss on time, or a stalemate. After a king's move, ``R`` and ``T`` mean that the king has started to walk
(``Kl6-m5T``). A lone ``#`` ends a team game in which the side to move is mated.

The tags choose the rules. `Variant` names a preset. `RuleVariants` lists exactly the options that apply. `StartFen4` is
the name of a starting array, or a FEN4. `Seed` decides the moves of walking kings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest

from fourfold.engine.errors import IllegalMove
from fourfold.engine.notation import comments, departure, movetext, options
from fourfold.engine.notation.game import Game, Line, Step
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position, Variant
from fourfold.engine.variants import opening_of, rules_of

_ALIASES = {"solo": "ffa"}
"""Other names of our variants in the tag `Variant`."""

_MODERN_SINCE = 2022
_WALKING = re.compile(r"(K.*[\d+#])([RTA])")
_DRAWS = (
    ("repetition|threefold", Termination.THREEFOLD),
    ("50|fifty", Termination.FIFTY_MOVES),
    ("insufficient", Termination.INSUFFICIENT_MATERIAL),
    ("draw", Termination.AGREEMENT),
)
"""Words in the tag `Termination` that mean a draw the board may not show."""
_VERDICTS = {"S": Termination.STALEMATE, "#": Termination.CHECKMATE}
"""Symbols in place of a move, and the fate of the player to move that each states."""

_DRAWN = {termination for _, termination in _DRAWS}


class _Pgn4:
    """The dialect of PGN4: its tags and symbols."""

    def begin(self, tags: Mapping[str, str]) -> Position:
        rules = _read_rules(tags)
        start = tags.get("StartFen4")
        if start is None:
            year = re.search(r"\b\d{4}\b", tags.get("Date", ""))
            start = "4PCo" if year is not None and int(year[0]) < _MODERN_SINCE else "4PC"
        seed = options.read_seed(tags)
        if "-" in start:
            return opening_of(rules, position=start, seed=seed)
        return opening_of(rules, setup=start, seed=seed)

    def steps(self, position: Position, symbol: str) -> list[Step]:
        if symbol in _VERDICTS:
            _confirm(position, symbol)
            return []
        leaving = departure.read(position, symbol)
        if leaving is not None:
            return [leaving]
        walking = _WALKING.fullmatch(symbol)
        if walking is None:
            return [Step.of_move(position, position.read_move(symbol))]
        leaving = departure.leave(position, position.turn, departure.REASONS[walking[2]])
        return [leaving, Step.of_move(leaving.after, leaving.after.read_move(walking[1]))]


def read(text: str | Iterable[str]) -> Iterator[Game]:
    """Yield the games of a PGN4 text or open file. Each stops at its first bad move, which its `failure` describes."""
    for game in movetext.read(text, _Pgn4()):
        draw = _told_draw(game.tags)
        if draw is not None and game.failure is None and game.position.outcome is None:
            game.line.steps.append(Step.of_draw(game.position, draw))
        yield game


def write(game: Game) -> str:
    """A game as PGN4 text, with a line feed at the end. The tags for rules and start follow the actual game. The tag
    for the result follows the board, if the board shows a result."""
    names = tuple(game.tags.get(name.capitalize(), name.capitalize()) for name in game.start.seats)
    tags = game.tags | {
        "Variant": game.tags.get("Variant", game.start.rules.record_name),
        options.TAG: options.write(game.start.rules, game.tags.get(options.TAG, "").split()),
        "StartFen4": _write_start(game.start),
        **options.write_seed(game.start),
        "Result": game.result(names),
    }
    last = game.line.steps[-1:]
    if last and last[0].reason in _DRAWN and _told_draw(tags) is not last[0].reason:
        tags["Termination"] = f"Draw: {last[0].reason.replace('_', ' ')}"
    rounds = enumerate(movetext.rounds(_slots(game.line)), start=1)
    moves = (f"{number}. {' .. '.join(slots)}" for number, slots in rounds)
    lines = [" ".join(comments.braced(game.line.comment)), *moves]
    return movetext.tag_pairs(tags) + "\n" + "".join(f"{line}\n" for line in lines if line)


def _read_rules(tags: Mapping[str, str]) -> Variant:
    variant = tags.get("Variant", "FFA").lower()
    rules = rules_of(_ALIASES.get(variant, variant))
    named = tags.get(options.TAG)
    return rules if named is None else options.read(named, rules)


def _write_start(start: Position) -> str:
    for name, _ in start.rules.starts:
        if name.startswith("4PC") and start.fen() == opening_of(start.rules, setup=name).fen():
            return name
    return start.fen()


def _confirm(position: Position, symbol: str) -> None:
    """Check that a lone ``S`` or ``#`` is true of the position. Raises `IllegalMove`."""
    reason = _VERDICTS[symbol]
    outcome = position.outcome
    ended = outcome is not None and outcome.termination is reason
    if not ended and all(out.reason is not reason for out in position.eliminated):
        raise IllegalMove(f"no_{reason}", f"'{symbol}' says {reason}, but nobody is in {reason} here.")


def _told_draw(tags: Mapping[str, str]) -> Termination | None:
    """The kind of draw that the tag `Termination` states, or None."""
    told = tags.get("Termination", "").lower()
    return next((termination for words, termination in _DRAWS if re.search(words, told)), None)


def _slots(line: Line) -> Iterator[tuple[int, str]]:
    """The words of each turn, with the seat to move."""
    ahead: list[str] = []
    walks = ""
    for step, then in zip_longest(line.steps, line.steps[1:]):
        extras = movetext.notes(step)
        for variation in step.variations:
            text = " .. ".join(slot for _, slot in _slots(variation))
            extras += ["(", *comments.braced(variation.comment), text, ")"] if text else []
        turn = step.before.turn
        if step.reason in _DRAWN:
            continue
        if step.move is not None:
            word = step.before.san(step.move, step.after) + walks
            walks = ""
        else:
            word = departure.write(step)
            if not extras and then is not None and then.move is not None and then.before.turn == turn:
                if step.seat == turn:
                    walks = word
                else:
                    ahead.append(word)
                continue
        yield turn, " ".join([*ahead, word, *extras])
        ahead = []
        for elimination in step.after.eliminated:
            if elimination.reason is Termination.STALEMATE and elimination.seat in step.before.alive:
                yield elimination.seat, "S"
    for step in line.steps[-1:]:
        for symbol, termination in _VERDICTS.items():
            if step.after.outcome is not None and step.after.outcome.termination is termination:
                yield step.after.turn, symbol  # that player had no legal move, and this ended the game
