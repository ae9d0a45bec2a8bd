"""A game's players and open vote, in the form for the widgets beside the board. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from fourfold.clients.games.game import YOU, Game
from fourfold.clients.table import TableSeat
from fourfold.clients.terminal.controller.questions import Question
from fourfold.clients.terminal.fullscreen.chronicle import Chronicle
from fourfold.clients.terminal.fullscreen.players import PlayerRow
from fourfold.clients.terminal.fullscreen.votes import Ballot
from fourfold.clients.terminal.text import answers, words
from fourfold.clients.terminal.text.view import View
from fourfold.engine.match.display import in_hand
from fourfold.engine.pieces import Piece


def players(game: Game, view: View, chronicle: Chronicle) -> tuple[PlayerRow, ...]:
    """The players at the moment in view; of two, first the one at the top of the board."""
    table = game.table
    position = (None if view.ply is None else chronicle.position(view.ply)) or table.position
    material, taken, teams = position.material(), chronicle.taken(view.ply), position.rules.teams
    names = list(table.seats)
    first = view.orientation.places.get(position.geometry.names[0])  # None while setup mode shows another board
    if len(names) == 2 and first is not None and first[0] > 0:
        names.reverse()
    shown = []
    for name in names:
        seat, number = table.seats[name], position.seats.index(name)
        against = [worth for other, worth in enumerate(material) if teams[other] != teams[number]]
        shown.append(
            PlayerRow(
                seat=name,
                name=f"{_name(seat)} {game.rating(name)}".rstrip(),
                mine=name in game.seats and len(game.seats) < len(names) and seat.name != YOU,
                online=name in game.online,
                to_move=name == table.turn,
                out=table.out.get(name),
                left=game.left(name),
                running=table.clocks is not None and table.clocks.since is not None and name == table.turn,
                taken=in_hand(position, number) if position.hands else letters(taken.get(number, ())),
                material=material[number],
                lead=material[number] - max(against, default=0),
                points=None if position.points is None else position.points[number],
                score=seat.score,
                remark=_remark(game, name),
                won=table.result is not None and name in table.result.winners,
            )
        )
    return tuple(shown)


def letters(pieces: Iterable[Piece]) -> str:
    """The letters of some pieces."""
    return "".join(piece.kind.letter for piece in pieces)


def _name(seat: TableSeat) -> str:
    if seat.name is not None:
        return words.name(seat.name)
    return "free" if seat.invited is None else f"level {seat.invited}"


def _remark(game: Game, name: str) -> str:
    seat = game.table.seats[name]
    if seat.name is None:
        return "" if seat.invited is None else "on the way"
    if seat.stand_in is not None:
        return "a computer stands in"
    return "" if name in game.online else answers.away(game, name)


def ballot(game: Game, question: Question | None) -> Ballot | None:
    """The question to show: the program's own, or else the open vote."""
    if question is not None:
        return Ballot(question.text.replace(" (yes or no)", ""), answerable=question.choice)
    vote = game.table.proposal
    if vote is None:
        return None
    left = max(0, -(-(vote.deadline - game.now()) // 1000))
    votes = tuple((seat, vote.votes.get(seat)) for seat in vote.electorate)
    return Ballot(words.proposal(vote, game.table.position).capitalize(), votes, left, game.voter is not None)
