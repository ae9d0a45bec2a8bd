"""Answers to questions about a game: scores, clocks, players, moves, rooms. Pure."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from fourfold.clients.games.game import YOU, Game
from fourfold.clients.games.review import Review
from fourfold.clients.terminal.text import words
from fourfold.engine.notation import smith
from fourfold.engine.position import Position
from fourfold.engine.questions import Choices
from fourfold.protocol import from_server as told
from fourfold.protocol.lines import Line


def score(game: Game) -> list[str]:
    """The series, the points where they count, and the material on the board."""
    table = game.table
    position = table.position
    lines = []
    if table.game > 1 or any(seat.score for seat in table.seats.values()):
        shares = [f"{words.player(name, seat.name)} {words.halves(seat.score)}" for name, seat in table.seats.items()]
        lines.append(f"Game {table.game} of the series: {', '.join(shares)}.")
    else:
        lines.append("This is the first game; nobody has scored yet.")
    if position.points is not None:
        points = zip(position.seats, position.points, strict=True)
        lines.append(f"Points: {', '.join(f'{seat} {number}' for seat, number in points)}.")
    worth = zip(position.seats, position.material(), strict=True)
    lines.append(f"Material: {', '.join(f'{seat} {number}' for seat, number in worth)}.")
    return lines


def clocks(game: Game) -> str:
    """Every seat's remaining time, and the running clock."""
    given = game.table.clocks
    if given is None:
        return "This game is untimed."
    parts = []
    for seat in game.table.seats:
        left = game.left(seat)
        assert left is not None  # the game is timed
        parts.append(f"{seat} {words.time(left)}{' (running)' if seat == game.table.turn else ''}")
    return f"Time left: {', '.join(parts)}; {words.control(told.Control(given.base, given.increment, given.delay))}."


def who(game: Game) -> list[str]:
    """A line for each seat, and the number of watchers."""
    table = game.table
    lines = []
    for seat, one in table.seats.items():
        state = []
        if one.name is None:
            state.append("free" if one.invited is None else f"waiting for a level {one.invited} bot")
        else:
            named = f"{words.name(one.name)} {game.rating(seat)}".rstrip()
            state.append("you" if seat in game.seats and one.name == YOU else named)
            if one.stand_in is not None or one.invited is not None:
                state.append("a computer player stands in")
            elif seat not in game.online:
                state.append(away(game, seat))
        if seat in game.seats and "you" not in state:
            state.append("you")
        if seat in table.out:
            state.append(f"out: {words.plain(table.out[seat])}")
        elif seat == table.turn:
            state.append("to move")
        lines.append(f"{seat}: {', '.join(state)}")
    if game.watchers:
        lines.append(f"{game.watchers} {'watches' if game.watchers == 1 else 'watch'}.")
    return lines


def away(game: Game, seat: str) -> str:
    """How long a seat's player has been away, and when they count as absent: "away 0:47, absent in 0:13"."""
    since = game.away.get(seat)
    if since is None:
        return "away"
    gone = max(0, game.now() - since)
    if not game.absentee_votes:
        return f"away {words.span(gone)}"
    wait = game.absence - gone
    return f"away {words.span(gone)}, absent" + (f" in {words.span(wait + 999)}" if wait > 0 else "")


def absent(game: Game, seat: str) -> str:
    """The votes that the others can open about an absent player."""
    stand_in = f", and 'bot {seat} 3' lets a computer player stand in" if "stand_in" in game.absentee_votes else ""
    return (
        f"{seat.capitalize()} has been away for {words.span(game.absence)}. If all others agree, 'remove {seat}' takes "
        f"{seat} out of the game{stand_in}."
    )


def claim(seat: str, reason: str) -> str:
    """A seat's claim to the end of the game, with its reason."""
    if reason == "points":
        return f"{seat.capitalize()} has a winning lead: 'claim' ends the game."
    rule = {"fifty_moves": "by the fifty-move rule", "threefold": "by threefold repetition"}[reason]
    return f"{seat.capitalize()} may claim a draw {rule}: 'claim' ends the game."


def targets(position: Position, square: str, found: Choices) -> str:
    """The moves of the piece on a square."""
    piece = position.piece_at(square)
    if piece is None:
        return f"There is no piece on {square}."
    owner = position.seats[piece.seat] if 0 <= piece.seat < len(position.seats) else "nobody"
    what = f"{owner} {piece.kind.noun} on {square}"
    if piece.grey:
        return f"The {what} is out of the game: it does not move."
    turn = "" if piece.seat == position.turn else f" once it is {owner}'s turn"
    names = position.geometry.names
    quiet = list(dict.fromkeys(names[move.target] for move in found.quiet))
    captures = list(dict.fromkeys(names[move.target] for move in found.captures))
    if not quiet and not captures:
        return f"The {what} has no legal move."
    parts = [f"to {words.listed(quiet)}"] if quiet else []
    parts += [f"takes on {words.listed(captures)}"] if captures else []
    promotes = any(move.promotion is not None for move in (*found.quiet, *found.captures))
    return f"The {what} can move{turn}: {'; '.join(parts)}{'; it promotes there' if promotes else ''}."


def moves(position: Position) -> str:
    """All legal moves."""
    legal = sorted(position.legal_moves, key=lambda move: move.text)
    if not legal:
        return "There is no legal move: the game is over."
    seat = position.seats[position.turn].capitalize()
    return f"{seat} has {len(legal)} legal moves: {' '.join(smith.write_move(position, move) for move in legal)}"


def rooms(listings: Sequence[told.Listing], now: int) -> list[str]:
    """The rooms of a lobby, a line each; for players who seek, the time they have waited at `now`."""
    if not listings:
        return ["There are no games right now. 'create' opens one."]
    lines = []
    for one in listings:
        people = ", ".join(f"{seat.seat}: {words.name(seat.name) if seat.name else 'free'}" for seat in one.seats)
        waits = f"waits {words.span(max(now - one.created, 0))}" if one.seek else "open"
        state = waits if one.status == "open" else f"move {one.ply}"
        extras = [words.control(one.clock), *(["password"] if one.locked else [])]
        lines.append(f"{one.room}  {one.variant}, {', '.join(extras)}, {state}; {people}")
    return lines


_LEVEL: Final = re.compile(r"level\d")


def people(found: Sequence[told.Person], me: str) -> list[str]:
    """The players who are online, a line each."""
    lines = []
    for one in found:
        doing = {"open": f"waits in {one.room}", "playing": f"plays in {one.room}", None: ""}[one.status]
        guest = "" if one.account or one.plays is not None else "guest"
        facts = ["you" if one.player == me else "", "bot" if one.bot else "", guest, _bot_plays(one.plays), doing]
        name = one.player if _LEVEL.fullmatch(one.player) else words.name(one.name)  # as users type it
        lines.append(f"{name}  {', '.join(filter(None, facts))}".rstrip())
    return lines


def bots(found: Sequence[told.Person], ratings: Mapping[str, str]) -> list[str]:
    """Bots that can be invited to a table, a line each."""
    if not found:
        return ["No bots for this game are online. 'bot' adds a computer player."]
    lines = []
    for one in found:
        level = _LEVEL.fullmatch(one.player)
        doing = "plays" if one.status == "playing" else "free"
        facts = ["BOT", ratings.get(one.player, ""), _bot_plays(one.plays), doing]
        name = one.player if level is not None else words.name(one.name)  # in the form in which users type it
        lines.append(f"{name}  {', '.join(filter(None, facts))}")
    return [*lines, "'invite NAME' invites one to the first free seat, 'invite SEAT=NAME' to another."]


def _bot_plays(plays: told.Played | None) -> str:
    """The games that a bot plays, unless it plays everything."""
    if plays is None:
        return ""
    ratings = {None: [], True: ["rated"], False: ["casual"]}[plays.rated]
    said = [*ratings, *plays.speeds, *plays.variants]
    return f"plays {' '.join(said)}" if said else ""


def following(found: Sequence[told.Followed]) -> list[str]:
    """The players that the user follows, a line each."""
    if not found:
        return ["You follow no players. 'follow NAME' follows a player who has an account."]
    lines = []
    for one in found:
        there = {"open": f"waits in {one.room}", "playing": f"plays in {one.room}", None: "online"}[one.status]
        facts = ["bot" if one.bot else "", there if one.online else "not here"]
        lines.append(f"{words.name(one.name)}  {', '.join(filter(None, facts))}")
    return lines


def challenge(challenge: told.Challenge, me: str, ratings: Mapping[str, str] | None = None) -> str:
    """The state of a challenge. `ratings`, by player, are shown beside the names."""
    mine = challenge.by == me

    def named(seat: told.Challenged) -> str:
        return f"{words.name(seat.name)} {(ratings or {}).get(seat.player or '', '')}".rstrip()

    by = next((named(seat) for seat in challenge.seats if seat.player == challenge.by), _ORGANIZER)
    others = [named(seat) for seat in challenge.seats if seat.player != challenge.by]
    refuser = next((seat for seat in challenge.seats if seat.answer is False), None)
    terms = f"{challenge.variant}, {words.control(challenge.clock)}"
    table = challenge.room is not None and challenge.room != challenge.challenge
    asked = next((one for one in challenge.seats if one.player != challenge.by), None)
    if table and asked is not None and challenge.status in ("open", "accepted"):
        return _asked(challenge, asked, by, named(asked), me)
    match challenge.status:
        case "open" if mine:
            agreed = [words.name(seat.name) for seat in challenge.seats if seat.answer and seat.player != me]
            said = f" {words.listed(agreed)} said yes." if agreed else ""
            return f"You challenge {words.listed(others)}: {terms}.{said} 'challenge cancel' takes it back."
        case "open":
            answered = next((seat.answer for seat in challenge.seats if seat.player == me), None)
            asks = " You said yes." if answered else " 'challenge yes' or 'challenge no' answers."
            whom = "you" if len(others) == 1 else words.listed(others)
            return f"{by} challenges {whom}: {terms}.{asks}"
        case "accepted":
            players = words.listed(others if by == _ORGANIZER else [by, *others])
            return f"The game of {players} begins: 'join {challenge.room}'."
        case "declined" if refuser is not None:
            who = "You say" if refuser.player == me else f"{words.name(refuser.name)} says"
            reason = "" if challenge.reason in (None, "generic") else f", {words.plain(challenge.reason or '')}"
            return f"{who} no to {terms}{reason}." + (f' "{words.shown(challenge.text)}"' if challenge.text else "")
        case status:
            whom = "you" if not mine and len(others) == 1 else words.listed(others)
            if challenge.reason is not None:
                return f"The challenge to {whom} is off: {_OFF.get(challenge.reason, words.plain(challenge.reason))}."
            return f"The challenge to {whom} {_GONE.get(status, 'has ended')}."


def _asked(challenge: told.Challenge, seat: told.Challenged, by: str, name: str, me: str) -> str:
    """The state of a challenge to a seat of an open table, unless it was declined."""
    where = f"{seat.seat} of {challenge.room}"
    if challenge.status == "accepted":
        return f"{'You sit' if seat.player == me else f'{name} sits'} at {where}."
    if challenge.by == me:
        return f"You ask {name} to {where}. 'challenge cancel' takes it back."
    terms = f"{challenge.variant}, {words.control(challenge.clock)}"
    host = "Its host" if by == _ORGANIZER else by
    asks = " You said yes." if seat.answer else " 'challenge yes' or 'challenge no' answers."
    return f"{host} asks you to {where}: {terms}.{asks}"


_OFF = {
    "seat_taken": "the seat is taken",
    "already_started": "the game has begun",
    "game_over": "the table was closed",
    "no_such_room": "the table is gone",
    "already_seated": "the player has a seat there already",
    "kicked": "the host has removed the player",
    "same_address": "a bot from the same address plays there",
}
"""The reasons why an invited player could not take the seat."""


_ORGANIZER = "A moderator"
"""The players who arrange a game between others."""

_GONE = {"cancelled": "was taken back", "expired": "has expired"}


def games(found: Sequence[told.Game]) -> list[str]:
    """Running and finished games, a line each."""
    if not found:
        return ["No games found. 'rooms' lists those that are open or being played."]
    lines = []
    for one in found:
        if one.ended:
            state = f"{datetime.fromtimestamp(one.ended / 1000):%d %b %Y %H:%M}"
        else:  # an imported game may have no date
            state = f"move {one.ply}" if one.ended is None else "long ago"
        people = ", ".join(map(_played, one.seats))
        imported = ", imported" if one.imported else ""
        lines.append(f"{one.room}  {one.variant}, {words.control(one.clock)}, {state}{imported}; {people}")
    return [*lines, "'watch ROOM' shows one."]


def ratings(found: told.Ratings) -> list[str]:
    """A player's ratings, a line each."""
    name = found.name or "A guest"
    if not found.ratings:
        return [f"{name} has no rated game yet." if found.name else "Guests have no ratings. 'account new NAME' helps."]
    return [f"{name}:", *map(_rating, found.ratings)]


def _rating(one: told.Rating) -> str:
    kind = one.variant if one.speed is None else f"{one.variant}, {one.speed}"
    return f"{kind:<24} {one.rating:>5} ± {one.deviation:<3}  {_games(one.games)}"


def leaderboard(found: told.Leaderboard, *, bots: bool = False) -> list[str]:
    """The highest ratings, a line each. Computer players have no rank, and other bots have one only if the list is of
    `bots`."""
    kind = found.variant if found.speed is None else f"{found.variant}, {found.speed}"
    lines = [f"The highest ratings{' of bots' if bots else ''}, {kind}:"]
    rank = 0
    for one in found.leaders:
        ranked = not one.bot or (bots and not one.player.startswith("level"))
        rank += ranked
        place, sure = f"{rank:>4}" if ranked else "   -", "fixed" if one.fixed else f"± {one.deviation}"
        lines.append(f"{place}  {words.name(one.name):<24} {one.rating:>5} {sure}")
    return lines


def explored(found: told.Explored) -> list[str]:
    """The moves played from a position, a line each."""
    if not found.moves:
        return ["No public archived game continues from this position."]
    return [f"{_games(found.games)} reached this position. Next moves:", *map(_line, found.moves)]


def _line(move: told.PlayedMove) -> str:
    won = ", ".join(f"{seat.seat} won {seat.won}" for seat in move.seats)
    points = [f"{seat.points:.0f}" for seat in move.seats if seat.points is not None]
    scored = f"; points on average: {', '.join(points)}" if points else ""
    return f"{move.text:<8} {_games(move.games)}: {won}, drawn {move.drawn}{scored}"


def analysed(found: told.Lines) -> list[str]:
    """The best lines of an analysis, a line each; each seat's chances; and the threats."""
    if not found.lines:
        return ["The computer players are busy. Try again later."]
    lines = [f"The best lines, {found.depth} moves ahead:"]
    for line in found.lines:
        moves = " ".join(line.texts)
        lines.append(f"{_worth(line):>8}  {moves}")
    chances = ", ".join(f"{seat} {round(100 * share)} %" for seat, share in found.lines[0].shares.items())
    lines.append(f"Chances after the first: {chances}.")
    for threat in found.threats:
        lines.append(f"{threat.seat.capitalize()} threatens {threat.text}{', which mates' if threat.mate else ''}.")
    return lines


def reviewed(found: told.Reviewed, game: Review | None) -> list[str]:
    """The review of a game: its opening, a line for each bad move with its effect and for each elimination, and each
    seat's accuracy. Or the progress of the review. Without the game, moves are numbered by ply."""
    lines = [f"{one.code} {one.name}" for one in found.openings[-1:]]
    if found.summary is None:
        positions = f"{found.looked or 0} of {found.plies + 1} positions"
        return [*lines, f"The review is running: {positions}. Ask again in a while."]
    for ply, judged in enumerate(found.judged):
        move = f"{ply}. {judged.seat}" if game is None else game.move(ply)
        if judged.seat is not None and (judged.mark or judged.remark):
            before, after = (round(100 * one.shares[judged.seat]) for one in found.judged[ply - 1 : ply + 1])
            change = f"{judged.seat.capitalize()} {before} % → {after} %"
            lines.append(" ".join(filter(None, (f"{move}{judged.mark or ''}", judged.remark, change))))
        for gone in judged.out:
            by = "" if gone.by is None else f" by {gone.by}"
            lines.append(f"{move}: {gone.seat} is out: {words.plain(gone.reason)}{by}")
    for seat, accuracy in found.summary.accuracy.items():
        lost = found.summary.lost[seat]
        exact = "did not move" if accuracy is None else f"accuracy {accuracy:.0f} %"
        lines.append(f"{seat}: {exact}{_lost(lost, game)}")
    return lines


def _lost(ply: int | None, game: Review | None) -> str:
    """The moment after which a seat had lost a game."""
    if ply is None:
        return ""
    if ply == 0:
        return ", lost from the start"
    return f", lost after {f'{ply} moves' if game is None else game.move(ply)}"


def _worth(line: Line) -> str:
    """The value of a line for its mover: in pawns, or the number of moves to a win or loss."""
    if line.mate is not None:
        return f"wins {line.mate}" if line.mate > 0 else f"loses {-line.mate}"
    return f"{line.score / 100:+.1f}"


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"


def _played(seat: told.PlayedSeat) -> str:
    result = "" if seat.result is None else f" {seat.result}"
    points = "" if seat.points is None else f" with {seat.points}"
    made = "" if seat.change is None else f" ({seat.change.before} → {seat.change.after})"
    return f"{seat.seat}: {words.name(seat.name)}{result}{points}{made}"


def account(account: told.Account) -> list[str]:
    """An account with its devices; first a new recovery code, if there is one."""
    lines = []
    if isinstance(account.code, str):
        lines.append(f"Your recovery code: {account.code}")
        lines.append("Write it down now: it is not shown again. It gives full access to your account.")
    proofs = [f"passkey on {one.device or 'a device'}" for one in account.passkeys]
    proofs += ["recovery code"] if account.recovery else []
    lines.append(f"You are {account.name}, by your {words.listed(proofs)}. Signed in on:")
    for number, one in enumerate(account.sessions, start=1):
        here = " (here)" if one.here else ""
        what = f"{one.device}, a token to {one.scope}" if one.scope else one.device or "a device"
        lines.append(f"{number} {what}{here}, since {_day(one.created)}, used {_day(one.used)}")
    return lines


def _day(time: int) -> str:
    return datetime.fromtimestamp(time / 1000).strftime("%Y-%m-%d")
