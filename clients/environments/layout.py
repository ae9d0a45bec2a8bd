"""The places of pieces and moves in observations and masks, as bytes: `encoding` without numpy, so that it can be
compiled."""

from __future__ import annotations

from fourfold.engine.geometry import Direction
from fourfold.engine.moves import Move
from fourfold.engine.position import Position, Variant
from fourfold.engine.tables import DoubleStep, Man, tables_of

_Name = tuple[int, int, int]


class Layout:
    """The layout of one variant, as `encoding` describes it."""

    def __init__(self, rules: Variant) -> None:
        geometry, tables = rules.geometry, tables_of(rules)
        if geometry.files != geometry.ranks:
            raise ValueError(f"{rules.name} has a board of {geometry.name}; it must be as wide as high to be turned.")
        seats = len(rules.seats)
        self.side = geometry.files
        """The number of rows, and of columns."""
        self.planes = 9 * seats + 7 + (len(rules.drops) * seats + 1 if rules.drops else 0)
        self.cells = self.side * self.side
        self.size = self.planes * self.cells
        """The number of bytes of an observation."""
        self._seats = seats
        self._drops = rules.drops
        self.places = [self._turned(rules, seat) for seat in range(seats)]
        """For each seat and square, the square's cell in the seat's planes."""
        self._whole = b"\1" * self.cells
        self._blank = self._background()
        self._pieces: list[dict[Man, int]] = [{} for _ in range(seats)]
        for seat in range(seats):
            for owner in range(seats):
                for kind, men in (*tables.men[owner].items(), *tables.promoted[owner].items()):
                    plane = 7 * ((owner - seat) % seats) + kind
                    for man in men:
                        self._pieces[seat][man] = plane * self.cells + self.places[seat][man.square]
        self._rooks: list[dict[int, tuple[int, ...]]] = [{} for _ in range(seats)]
        known: set[_Name] = set()
        names: list[dict[Move, _Name]] = []
        for seat in range(seats):
            moves = {move for men in tables.men[seat].values() for man in men for move in _moves_of(man)}
            moves |= {castle.move for castle in tables.castles_of[seat]}
            moves |= {drop for drops in tables.drops.values() for drop in drops}
            names.append({move: self._name(move, seat) for move in moves})
            known |= set(names[-1].values())
        numbers = {name: number for number, name in enumerate(sorted(known))}
        self.actions = len(numbers)
        self.numbers: list[dict[Move, int]] = [
            {move: numbers[name] for move, name in by_seat.items()} for by_seat in names
        ]
        """For each seat, the actions of its moves."""
        self.moves: list[dict[int, Move]] = [
            {number: move for move, number in by_seat.items()} for by_seat in self.numbers
        ]
        """For each seat, the moves of its actions."""

    def _turned(self, rules: Variant, seat: int) -> list[int]:
        """For each square, its index among the cells that the seat sees, row by row from the far side."""
        last = self.side - 1
        forward = rules.seats[seat].forward
        right = Direction(forward.ranks, -forward.files)
        places = []
        for square in range(rules.geometry.size):
            file, rank = rules.geometry.file(square), rules.geometry.rank(square)
            ahead = file * forward.files + rank * forward.ranks
            aside = file * right.files + rank * right.ranks
            ahead += last if ahead < 0 or -1 in forward else 0
            aside += last if aside < 0 or -1 in right else 0
            places.append((last - ahead) * self.side + aside)
        return places

    def _background(self) -> bytes:
        """The observation of an empty board on which everybody is in."""
        seats, cells = self._seats, self.cells
        blank = bytearray(self.size)
        exists = (7 * seats + 4) * cells
        for cell in self.places[0]:  # the same from every seat
            blank[exists + cell] = 1
        blank[exists + cells : exists + (1 + seats) * cells] = self._whole * seats
        return bytes(blank)

    def _name(self, move: Move, seat: int) -> _Name:
        places = self.places[seat]
        if move.drop is not None:
            return self.cells, places[move.target], int(move.drop)
        return places[move.source], places[move.target], -1 if move.promotion is None else int(move.promotion)

    def see(self, position: Position, seat: int, seen: bytearray, at: int) -> None:
        """Write a seat's observation of a position into `seen`, from the index `at` on."""
        cells, seats, places = self.cells, self._seats, self.places[seat]
        seen[at : at + self.size] = self._blank
        numbers = self._pieces[seat]
        for owner in range(seats):
            for man in position.men(owner):
                seen[at + numbers[man]] = 1
        start = at + 7 * seats * cells
        for man in position.men(-1):
            seen[start + places[man.square]] = 1
        start += cells
        if position.rights:
            for cell in self._rooks_with(position, seat):
                seen[start + cell] = 1
        start += cells
        for step in position.steps:
            if _may_be_taken(position, step):
                seen[start + places[step.skipped]] = 1
        start += cells
        for square in position.changed:
            seen[start + places[square]] = 1
        start += 2 * cells
        counts = position.points or position.checks
        alive = position.alive
        if counts is not None or len(alive) < seats:
            for plane in range(seats):
                other = (seat + plane) % seats
                if other not in alive:
                    self._fill(seen, start + plane * cells, 0)
                if counts is not None:
                    self._fill(seen, start + (seats + plane) * cells, counts[other])
        start += 2 * seats * cells
        self._fill(seen, start, position.halfmove)
        start += cells
        self._fill(seen, start, position.repetitions())
        if self._drops:
            self._see_hands(position, seat, seen, start + cells)

    def _fill(self, seen: bytearray, start: int, count: int) -> None:
        """Fill a plane with a count."""
        if count == 1:
            seen[start : start + self.cells] = self._whole
        else:
            seen[start : start + self.cells] = bytes((max(0, min(count, 255)),)) * self.cells

    def _rooks_with(self, position: Position, seat: int) -> tuple[int, ...]:
        """The cells of the rooks that may still castle. There are few sets of rights, so each is looked up."""
        rights = position.rights
        found = self._rooks[seat].get(rights)
        if found is None:
            castles = [castle for owner in range(self._seats) for castle in position.castles(owner)]
            found = tuple([self.places[seat][castle.rook.source] for castle in castles])
            self._rooks[seat][rights] = found
        return found

    def _see_hands(self, position: Position, seat: int, seen: bytearray, start: int) -> None:
        """Fill the planes from `start` on: the hands, then the promoted pieces."""
        for plane in range(self._seats):
            hand = position.hands[(seat + plane) % self._seats]
            for kind in self._drops:
                self._fill(seen, start, hand[kind])
                start += self.cells
        places = self.places[seat]
        for owner in range(self._seats):
            for man in position.men(owner):
                if man.piece.promoted:
                    seen[start + places[man.square]] = 1

    def mask(self, position: Position, mask: bytearray, at: int) -> None:
        """Write a 1 into `mask` for each legal action of the side to move, from the index `at` on."""
        numbers = self.numbers[position.turn]
        for move in position.legal_moves:
            mask[at + numbers[move]] = 1

    def move(self, position: Position, action: int) -> Move | None:
        """The legal move of an action; None if the action is illegal now."""
        move = self.moves[position.turn].get(action)
        return move if move is not None and move in position.legal_moves else None


def _may_be_taken(position: Position, step: DoubleStep) -> bool:
    """Whether a pawn can capture this double step en passant: one of the side to move now, or another seat's before the
    pusher moves again."""
    for seat in (position.turn, *position.tables.clockwise[position.turn]):
        if seat == step.seat:
            break
        if position.takes(step) if seat == position.turn else position.takers(seat, step):
            return True
    return False


def _moves_of(man: Man) -> list[Move]:
    groups = (*man.rays, man.leaps, man.steps, *man.advances, man.captures)
    return [move for group in groups for move in group]


def rewards(position: Position) -> list[float]:
    """The rewards of a finished game, from -1 to 1 for each seat: the share of the other players with a worse place,
    minus the share with a better place. In games for two, and in teams, this is 1, 0 or -1."""
    outcome = position.outcome
    if outcome is None:
        return [0.0] * len(position.seats)
    teams, places = position.rules.teams, outcome.standings
    found = []
    for seat, place in enumerate(places):
        others = [places[other] for other in range(len(places)) if teams[other] != teams[seat]]
        found.append((sum(other > place for other in others) - sum(other < place for other in others)) / len(others))
    return found


def follow(position: Position) -> Position:
    """The next position in which a player is to move or the game is over: walking kings have moved, and any possible
    draw has been claimed."""
    while (walk := position.walk) is not None:
        position = position.play(walk)
    claim = position.may_claim(position.turn)
    if claim is not None and not position.rules.scored:
        return position.claim(position.turn)
    return position
