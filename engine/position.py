"""A position: where everything stands and what may happen next.

A `Position` never changes; `play` returns the one after a move, and everything else is a question. How pieces move is
in `movegen`. What a variant does differently is in its `Variant`: the rules as data, its `Referee`, and its notations.
These refer to positions as positions refer to them, so all of them are here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from types import FunctionType, MappingProxyType
from typing import Final, Protocol

from fourfold.engine import coordinates, drawing, zobrist
from fourfold.engine.board import Board
from fourfold.engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from fourfold.engine.geometry import Geometry
from fourfold.engine.movegen import legal_moves
from fourfold.engine.moves import Move
from fourfold.engine.outcome import Elimination, Outcome, Termination
from fourfold.engine.pieces import Piece, PieceKind
from fourfold.engine.rules import Rules
from fourfold.engine.setup import Setup, castle_of, double_step_of, faults
from fourfold.engine.tables import DoubleStep, Man, tables_of
from fourfold.engine.values import draft_class, mypyc_attr

_GOES_ON = (None,)
"""What a position remembers of its outcome while there is none."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Referee(ABC):
    """Decides what follows from a move beyond the board: turns, eliminations, the end of the game."""

    @abstractmethod
    def begin(self, position: Position) -> None:
        """Finish a draft that is being set up: its fields may be assigned until this returns."""

    @abstractmethod
    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Finish a draft, whose fields may be assigned until this returns: a man has moved and others were taken, the
        turn has not passed."""

    @abstractmethod
    def checked(self, position: Position) -> tuple[int, ...]:
        """The live seats whose king is attacked."""

    @abstractmethod
    def outcome(self, position: Position) -> Outcome | None:
        """The end of the game, if the position is one."""

    @abstractmethod
    def claims(self, rules: Rules) -> tuple[Termination, ...]:
        """By what a game of the variant may be ended at all by a claim."""

    @abstractmethod
    def may_claim(self, position: Position, seat: int) -> Termination | None:
        """What a seat may claim: a draw, or `POINTS`."""

    def claim(self, position: Position, seat: int, termination: Termination) -> Position:
        """The position, ended by what a seat may claim."""
        return self.draw(position, termination)

    @abstractmethod
    def eliminate(self, position: Position, seat: int, reason: Termination) -> Position:
        """The position after a seat has left the game by something else than a move."""

    @abstractmethod
    def draw(self, position: Position, termination: Termination) -> Position:
        """The position, ended as a draw."""


class Notation(Protocol):
    """How a position of the variant is written: FEN or FEN4."""

    def read(self, text: str, rules: Rules) -> Setup:
        """What the text says. Raises `InvalidNotation`."""

    def write(self, position: Position) -> str:
        """The position's text."""


class MoveNotation(Protocol):
    """How people write a move: `san` or `lan`."""

    def read(self, position: Position, text: str) -> Move:
        """The legal move that a text means. Raises `InvalidNotation` or `IllegalMove`."""

    def write(self, position: Position, move: Move, after: Position) -> str:
        """A legal move's text; `after` is the position that it leads to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant(Rules):
    """A variant of the game: its rules, and all else that is particular to it.

    `title` is what people call it, `summary` its aim in a sentence or two. `starts` maps names of starting arrays to
    FEN or FEN4; a game begins with the first of them, or where `draws_start` is true, with one that the seed draws.
    `move_notation` is how people write moves. Whole games are written in the format `records`, ``pgn`` or ``pgn4``,
    where the tag `Variant` says `record_name`; `records_departures` tells whether a player's leaving is written among
    the moves, or only the result tells.
    """

    name: str
    title: str
    summary: str
    referee: Referee
    notation: Notation
    move_notation: MoveNotation
    starts: tuple[tuple[str, str], ...]
    draws_start: bool = False
    records: str
    record_name: str
    records_departures: bool = True

    def array(self, setup: str | None = None, seed: int = 0) -> str:
        """A starting array as FEN or FEN4: by its name, or without one that which a game begins with. Raises
        `InvalidNotation` (`unknown_setup`)."""
        if not setup:
            return self.starts[seed % len(self.starts) if self.draws_start else 0][1]
        for name, text in self.starts:
            if name.lower() == setup.lower():
                return text
        names = [name for name, _ in self.starts]
        shown = ", ".join(names) if len(names) < 20 else f"{names[0]} to {names[-1]}"
        raise InvalidNotation("unknown_setup", f"{self.name} has no setup '{setup}'; it has {shown}.")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as its name, and what differs from the variant that is listed by this name."""
        listed = rules_of(self.name)
        changes = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != getattr(listed, field.name)
        }
        return _changed, (self.name, changes)


LISTED: dict[str, Variant] = {}
"""The variants by name, in the order in which to offer them; `variants` lists them."""


def rules_of(variant: str) -> Variant:
    """The rules of a variant. Raises `InvalidNotation` with code `unknown_variant`."""
    rules = LISTED.get(variant)
    if rules is None:
        names = ", ".join(LISTED)
        raise InvalidNotation("unknown_variant", f"There is no variant '{variant[:32]}'; there are {names}.")
    return rules


def _changed(name: str, changes: dict[str, object]) -> Variant:
    return replace(rules_of(name), **changes) if changes else rules_of(name)  # type: ignore[arg-type]


@dataclass(init=False, eq=False, repr=False, slots=True)
class Memo:
    """What has been worked out about a position: its `identity`, the `legal` moves, the `outcome` in a tuple of one,
    the seats that are `checked`; None until somebody asks. It is the one part of a position that changes."""

    identity: int | None
    legal: tuple[Move, ...] | None
    outcome: tuple[Outcome | None] | None
    checked: tuple[int, ...] | None


@dataclass(init=False, eq=False, repr=False, slots=True)
class Position(Board):
    """A position of any variant: a value, which never changes. `start` and `from_fen` make one, and `play` gives the
    next.

    Two positions are equal if a FEN or FEN4 says the same of both, counters included, and they have the same seed:
    `Position.from_fen(position.fen()) == position`. A double step counts only if the pawn can be taken in passing, and
    always among four, where others may still take it. Earlier positions do not count: `repetitions` tells of them.

    Assigning to a field raises `dataclasses.FrozenInstanceError`, an `AttributeError`. Only referees assign, to a
    position that is still a *draft* (`Referee.begin`, `Referee.settle`, `draft`). Positions can be pickled.

    What a reader may use: `rules` (the variant), `turn` (the seat to move), `ply` (plies played), `halfmove` (plies
    since the last capture or pawn move), `alive` (seats still in, in the order of turns), `eliminated` (who went
    out in the very last transition), `points` (so far, where they count; an `outcome` has the final ones),
    and the methods and properties with docstrings. The other fields belong to the engine: those of the `Board`, and

    * `history` are the hashes, of eight bytes each, of the earlier positions since a move that cannot be
      taken back;
    * `fallen` are the seats that were out when the position was set up, in order, as far as it is known; `out` are
      all eliminations since, in order (a walking king has an entry of its own when it is lost);
    * `seed` decides how dead kings walk, and is 0 where the rules have none;
    * `cornered` are the exposed seats whose king could not step out of check without its army, each with the seat
      whose move came to that, if known (kept where dead kings walk);
    * `_changed` is what `changed` shows;
    * `checks` are how many checks each seat has given, where that counts;
    * `ended` is an end that the board does not show.
    """

    rules: Variant
    halfmove: int
    ply: int
    history: bytes
    alive: tuple[int, ...]
    fallen: tuple[int, ...]
    out: tuple[Elimination, ...]
    points: tuple[int, ...] | None
    seed: int
    cornered: tuple[tuple[int, int | None], ...]
    eliminated: tuple[Elimination, ...]
    _changed: dict[int, Man | None]
    checks: tuple[int, ...] | None
    ended: Outcome | None
    _open: bool
    _memo: Memo

    # ---- Beginnings -------------------------------------------------------------------------------

    @classmethod
    def start(
        cls, variant: str | Variant = "standard", setup: str | None = None, *, fen: str | None = None, seed: int = 0
    ) -> Position:
        """The position that a game begins with: the variant's own, a starting array by its name (`setup`), or any
        that a FEN or FEN4 says. The variant is one that is listed, or a record of rules. The seed decides how dead
        kings will walk, and which array a variant begins with that draws it.

        Raises `InvalidNotation` for a name that is not known (`unknown_variant`, `unknown_setup`) and for text that
        cannot be read (`invalid_fen`), and `InvalidSetup` for a position that cannot be.
        """
        rules = rules_of(variant) if isinstance(variant, str) else variant
        text = rules.array(setup, seed) if fen is None else fen
        begun = _kept(rules, text) if len(text) <= _LONGEST_KEPT else _begun(rules, text)
        return begun.replace(seed=seed) if seed and rules.dead_kings_walk else begun

    @classmethod
    def from_fen(cls, text: str, variant: str | Variant = "standard") -> Position:
        """The position that a FEN says, or for four a FEN4. Raises as `start`."""
        return cls.start(variant, fen=text)

    @classmethod
    def from_setup(cls, rules: Variant, setup: Setup, seed: int = 0) -> Position:
        """The position that a setup describes; the seed decides how dead kings will walk. Raises
        `InvalidSetup` with everything that is wrong."""
        tables = tables_of(rules)
        wrong = faults(setup, tables)
        if wrong:
            raise InvalidSetup(tuple(wrong))
        position = _Draft()
        position._open = True
        position._place(rules, setup.standing(rules))
        position.turn = setup.turn
        position.rights = 0
        for seat, short in setup.castling:
            castle = castle_of(setup, tables, seat, short)
            if castle is not None and seat not in setup.dead:
                position.rights |= castle.bit
        steps = (double_step_of(setup, tables, *pair) for pair in sorted(setup.en_passant.items()))
        position.steps = tuple(step for step in steps if step is not None)
        position.halfmove = setup.halfmove
        position.ply = setup.ply
        position.history = b""
        position.alive = setup.alive(rules)
        position.fallen = setup.fallen
        position.out = ()
        position.points = setup.points
        position.walking = setup.walking(rules)
        position.seed = seed if rules.dead_kings_walk else 0
        position.exposed = ()
        position.cornered = ()
        position.eliminated = ()
        position._changed = {}
        position.checks = setup.checks
        position.ended = None
        position._memo = memo = Memo()
        memo.identity = memo.legal = memo.outcome = memo.checked = None
        rules.referee.begin(position)
        return position.seal()

    def _place(self, rules: Variant, pieces: Mapping[int, Piece]) -> None:
        """Put the pieces on the empty board of a position that is being built."""
        self.rules = rules
        self.tables = tables = tables_of(rules)
        self._armies = [{} for _ in range(len(rules.seats) + 1)]
        forces = [0] * (max(rules.teams) + 2)
        self.total = 0
        sides = bytearray(rules.geometry.size)
        kings = [-1] * len(rules.seats)
        for square, piece in sorted(pieces.items()):
            man = tables.men_of(piece)[square]
            self._armies[-1 if piece.grey else piece.seat][square] = man
            forces[man.team] ^= man.mark
            self.total ^= man.mark
            sides[square] = man.side
            if man.king and not piece.grey:
                kings[piece.seat] = square
        self.forces = tuple(forces)
        self.sides = bytes(sides)
        self.kings = tuple(kings)

    # ---- What stands where ------------------------------------------------------------------------

    @property
    def variant(self) -> str:
        """The name of the variant."""
        return self.rules.name

    @property
    def geometry(self) -> Geometry:
        """The board: enough to draw it."""
        return self.rules.geometry

    @property
    def seats(self) -> tuple[str, ...]:
        """The colours, in the order of turns."""
        return self.tables.seats

    def piece_at(self, square_name: str) -> Piece | None:
        """What stands on a square. Raises `InvalidNotation` (`bad_source`) for no square of this board."""
        man = self.man_at(coordinates.square(self.geometry, square_name, "bad_source"))
        return None if man is None else man.piece

    @property
    def changed(self) -> Mapping[int, Man | None]:
        """The squares that the last transition changed, each with the man who stands there now, if any."""
        return MappingProxyType(self._changed)

    def order_out(self) -> tuple[int, ...]:
        """The seats that are out, in the order in which they went, as far as it is known."""
        return tuple(dict.fromkeys((*self.fallen, *(gone.seat for gone in self.out))))

    def pieces(self) -> dict[str, Piece]:
        """All pieces by the name of their square."""
        names = self.rules.geometry.names
        return {names[square]: man.piece for army in self._armies for square, man in army.items()}

    def material(self) -> tuple[int, ...]:
        """The worth of each seat's live pieces, by the values of the rules; kings count nothing."""
        values = self.rules.values
        return tuple(sum(values[man.kind] for man in army.values()) for army in self._armies[:-1])

    def checked(self) -> tuple[int, ...]:
        """The live seats whose king is attacked."""
        memo = self._memo
        if memo.checked is None:
            memo.checked = self.rules.referee.checked(self)
        return memo.checked

    def fen(self) -> str:
        """The position as FEN (two players) or FEN4 (four)."""
        return self.rules.notation.write(self)

    def attackers(self, square_name: str, seat: int | None = None) -> dict[str, Piece]:
        """The pieces that attack a square, one seat's or everybody's, by their own squares. A pinned piece attacks, a
        grey one does not. Raises `InvalidNotation` (`bad_source`) for no square of this board."""
        square = coordinates.square(self.geometry, square_name, "bad_source")
        names, total = self.geometry.names, self.total
        men = [self.man_at(source) for source in sorted(self.tables.threats[square].attackers(total, total))]
        return {names[man.square]: man.piece for man in men if man is not None and seat in (None, man.seat)}

    def is_check(self) -> bool:
        """Whether the king of the side to move is attacked."""
        return self.turn in self.checked()

    def svg(self, size: int = 400) -> str:
        """A picture of the board, so many pixels wide, as an SVG document. The squares that the last move changed are
        marked, and kings in check."""
        return drawing.svg(self, size, self._changed, [self.kings[seat] for seat in self.checked()])

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        return self.svg()

    def __str__(self) -> str:
        """The board as lines of text, the highest rank first: for two players with White's pieces in capitals, for
        four with the letter of its colour before each piece."""
        return drawing.text(self)

    def __repr__(self) -> str:
        seed = f" seed={self.seed}" if self.seed else ""
        return f"<Position {self.variant}{seed} {self.fen()}>"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as what stands where and the plain fields; the rules by their name."""
        pieces = {square: _told(man.piece) for army in self._armies for square, man in army.items()}
        changed = {square: man and _told(man.piece) for square, man in self._changed.items()}
        steps = [move.text for move, step in self.tables.double_steps.items() if step in self.steps]
        gone = [[(one.seat, one.reason, one.by) for one in some] for some in (self.out, self.eliminated)]
        ended = self.ended and (self.ended.termination, self.ended.winners, self.ended.standings, self.ended.points)
        plain = {name: getattr(self, name) for name in _PLAIN}
        return _restored, (self.rules, pieces, changed, steps, gone, ended, plain)

    def __eq__(self, other: object) -> bool:
        """The same in all that a FEN or FEN4 says, and in the seed. How the position came about does not matter."""
        if not isinstance(other, Position):
            return NotImplemented
        return (
            all(getattr(self, name) == getattr(other, name) for name in _COMPARED)
            and self.order_out() == other.order_out()
            and set(self._steps_that_count()) == set(other._steps_that_count())
        )

    def __hash__(self) -> int:
        return self.identity >> 4  # compiled code has no hashes of 64 bits

    @property
    def identity(self) -> int:
        """A 64-bit hash of what must be the same for a position to count as repeated: pieces, turn,
        castling rights, and double steps that can be taken in passing."""
        memo = self._memo
        if memo.identity is None:
            tables = self.tables
            value = self.total >> tables.planes.key_shift
            value ^= tables.turn_keys[self.turn] ^ tables.rights_key(self.rights)
            if self.steps:
                for step in self._steps_that_count():
                    value ^= step.key
            memo.identity = value
        return memo.identity

    def _steps_that_count(self) -> list[DoubleStep]:
        """The double steps without which this would be another position."""
        differ = self.rules.idle_steps_differ
        return [step for step in self.steps if differ or self.takes(step)]

    def takes(self, step: DoubleStep) -> bool:
        """Whether the side to move has a legal capture en passant of this double step."""
        takers = self.takers(self.turn, step)
        if not takers:
            return False
        legal = self.movable()
        return any(moves[0] in legal for _, moves in takers)

    # ---- Moves ------------------------------------------------------------------------------------

    def movable(self) -> tuple[Move, ...]:
        """What the pieces of the side to move may do, not asking whether a draw has ended the game."""
        memo = self._memo
        if memo.legal is None:
            memo.legal = () if self.ended is not None else tuple(legal_moves(self, self.turn))
        return memo.legal

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves, in no order that means anything; none when the game is over."""
        memo = self._memo
        if memo.outcome is _GOES_ON and memo.legal is not None:
            return memo.legal  # as whenever it is asked again
        return self.movable() if self.outcome is None else ()

    def legal_texts(self) -> list[str]:
        """The legal moves as texts, in the same order."""
        return [move.text for move in self.legal_moves]

    def play(self, move: Move | str) -> Position:
        """The position after a move, given as text that `read_move` reads, or as one of the `legal_moves`: that is
        taken to be legal. Raises `InvalidNotation` and `IllegalMove` for a text, as `read_move`."""
        if not isinstance(move, Move):
            move = self.read_move(move)
        tables = self.tables
        rules = self.rules
        seat = self.turn
        source = move.source
        target = move.target
        armies = self._armies.copy()
        forces = [*self.forces]
        total = self.total
        rights = self.rights
        steps = self.steps
        kings = self.kings
        army = armies[seat] = armies[seat].copy()
        man = army.pop(source, None)
        if man is None:
            raise self._no_move(move)
        sides = bytearray(self.sides)
        sides[source] = 0
        arrived = man.kin[target]
        takes = total & move.bit
        taken: tuple[Man, ...] = ()
        changed: dict[int, Man | None] = {source: None}
        step = None
        if man.pawn:
            if move.promotion is not None:
                arrived = tables.men[seat][move.promotion][target]
            for passed in steps:
                if passed.skipped == target:
                    takes = move.bit
            step = tables.double_steps.get(move)
        elif man.king:
            castle = self.castle_of(move) if rights else None
            if castle is not None:
                takes = 0
                target = castle.target
                arrived = man.kin[target]
                rook = army.pop(castle.rook.source)
                moved_rook = army[castle.rook.target] = rook.kin[castle.rook.target]
                forces[man.team] ^= rook.mark ^ moved_rook.mark
                total ^= rook.mark ^ moved_rook.mark
                sides[rook.square] = 0
                sides[moved_rook.square] = rook.side
                changed |= {rook.square: None, moved_rook.square: moved_rook, target: arrived}
                changed = {square: new for square, new in changed.items() if new is not self._armies[seat].get(square)}
            kings = (*kings[:seat], target, *kings[seat + 1 :])
        if takes:
            taken = self.taken(man, move)
            for victim in taken:
                owner = victim.seat if victim.team >= 0 else -1
                theirs = armies[owner] = armies[owner].copy()
                del theirs[victim.square]
                forces[victim.team] ^= victim.mark
                total ^= victim.mark
                sides[victim.square] = 0
                changed[victim.square] = None

        sides[target] = man.side
        army[target] = arrived
        if arrived is not man:
            changed[target] = arrived
        change = man.mark ^ arrived.mark
        forces[man.team] ^= change
        if steps:
            # A right to take in passing lapses when its pusher moves again, and with the pawn itself.
            gone = [victim.square for victim in taken]
            steps = tuple(old for old in steps if old.seat != seat and old.landed not in gone)

        after = Position() if _COMPILED else _Draft()  # what compiled code calls by its name takes no time
        after._open = True
        after.rules = rules
        after.tables = tables
        after._armies = armies
        after.forces = tuple(forces)
        after.total = total ^ change
        after.sides = bytes(sides)
        after.kings = kings
        after.rights = rights and rights & tables.kept_rights[source] & tables.kept_rights[target]
        after.steps = steps if step is None else (*steps, step)
        if taken or man.pawn:
            after.halfmove = 0
            after.history = b""
        else:
            after.halfmove = self.halfmove + 1
            after.history = self.history + self.identity.to_bytes(8)
        after.ply = self.ply + 1
        after.alive = self.alive
        after.fallen = self.fallen
        after.out = self.out
        after.points = self.points
        after.walking = self.walking
        after.seed = self.seed
        after.exposed = ()
        after.cornered = self.cornered
        after.eliminated = ()
        after._changed = changed
        after.checks = self.checks
        after.ended = None
        after._memo = memo = Memo()
        memo.identity = memo.legal = memo.outcome = memo.checked = None
        rules.referee.settle(after, arrived, taken)
        return after.seal()

    @property
    def walk(self) -> Move | None:
        """The move that a dead king makes by itself now; None when it is a player's turn, or the game is
        over. It depends on the seed and the ply alone, so that every replay walks alike."""
        if self.turn not in self.walking or self.outcome is not None:
            return None
        moves = sorted(self.legal_moves, key=lambda move: move.text)
        return moves[zobrist.key(self.seed, self.ply) % len(moves)]

    def replace(self, **changes: object) -> Position:
        """The same position with some fields changed, and nothing remembered of what followed from them. Raises
        `TypeError` for a name that is no field. For referees."""
        draft = self.draft()
        for name, value in changes.items():
            if name not in _FIELDS:
                raise TypeError(f"a Position has no field '{name}'")
            setattr(draft, name, value)
        return draft.seal()

    def draft(self) -> Position:
        """A copy to which fields may be assigned until it is sealed, by `seal`. For referees."""
        copy = _Draft()
        copy._open = True
        copy.rules = self.rules
        copy.tables = self.tables
        copy._armies = self._armies.copy()
        copy.forces = self.forces
        copy.total = self.total
        copy.sides = self.sides
        copy.kings = self.kings
        copy.turn = self.turn
        copy.rights = self.rights
        copy.steps = self.steps
        copy.walking = self.walking
        copy.exposed = self.exposed
        copy.halfmove = self.halfmove
        copy.ply = self.ply
        copy.history = self.history
        copy.alive = self.alive
        copy.fallen = self.fallen
        copy.out = self.out
        copy.points = self.points
        copy.seed = self.seed
        copy.cornered = self.cornered
        copy.eliminated = self.eliminated
        copy._changed = {}
        copy.checks = self.checks
        copy.ended = self.ended
        copy._memo = memo = Memo()
        memo.identity = memo.legal = memo.outcome = memo.checked = None
        return copy

    def seal(self) -> Position:
        """The same object, which from now on cannot be changed. It was a draft."""
        if _COMPILED:
            self._open = False
        else:
            self.__class__ = Position
        return self

    def find(self, text: str) -> Move:
        """The legal move that a text means: ``e2e4``, ``e2-e4``, ``E2E4``, ``e7e8q``, ``e7e8=Q``, or
        castling as the king's two-step move or as king takes rook.

        Raises `InvalidNotation` with code `bad_source`, `bad_destination` or `unknown_promotion`, and
        `IllegalMove` with `game_over`, `no_piece`, `not_your_piece`, `own_piece`, `promotion_missing`,
        `king_in_check` or `cannot_move_there`.
        """
        move = self.tables.moves.by_text.get(text)
        if move is not None and move in self.legal_moves:
            return move
        return coordinates.read(self, text, self.legal_moves, self.outcome is not None)

    def read_move(self, text: str) -> Move:
        """The legal move that a text means, in any spelling: as `find` reads it, in SAN for two players, in long
        algebraic notation for four. Raises `InvalidNotation` or `IllegalMove`."""
        if not isinstance(text, str):
            raise TypeError(f"A move is a text such as 'e2e4', or one of `legal_moves`, not {text!r}.")
        return self.rules.move_notation.read(self, text)

    def san(self, move: Move | str, after: Position | None = None) -> str:
        """A legal move as people write it: in SAN (Standard Algebraic Notation) for two players, in long algebraic
        notation for four. `after` is the position that it leads to, if the caller has it."""
        if not isinstance(move, Move):
            move = self.read_move(move)
        return self.rules.move_notation.write(self, move, after or self.play(move))

    def _no_move(self, move: Move) -> IllegalMove:
        """The error for a move from a square on which the side to move has nothing."""
        whose = self.rules.seats[self.turn].called
        return IllegalMove(
            "no_piece", f"{move!r} is none of the legal moves here, and {whose} has no piece there: take one of those."
        )

    # ---- The end ----------------------------------------------------------------------------------

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        memo = self._memo
        if memo.outcome is None:
            outcome = self.ended or self.rules.referee.outcome(self)
            memo.outcome = _GOES_ON if outcome is None else (outcome,)
        return memo.outcome[0]

    def may_claim(self, seat: int) -> Termination | None:
        """What a seat may end the game by now; None if by nothing.

        A draw (`FIFTY_MOVES` or `THREEFOLD`) is claimed by the side to move. A game that is won by points is
        stopped (`POINTS`) by its leader, whoever is to move.
        """
        return None if self.outcome is not None else self.rules.referee.may_claim(self, seat)

    def claim(self, seat: int) -> Position:
        """The position, ended by what the seat may claim. Nobody goes out by it: the board stays as it is, and
        the `outcome` says the rest. Raises `ValueError` if the seat may claim nothing."""
        termination = self.may_claim(seat)
        if termination is None:
            raise ValueError(f"seat {seat} has nothing to claim")
        return self.rules.referee.claim(self, seat, termination)

    def past_draw(self) -> Position:
        """The position without the draw that our rules give in it by themselves (for want of material, progress or
        novelty), to play on from as under an arbiter who gives none; itself if there is no such draw. Repetitions
        are counted anew. For readers of games that were played elsewhere."""
        if self.outcome is None or self.ended is not None or not self.movable():
            return self
        position = self.draft()
        position.history = b""  # which would grow with every move that makes no progress
        position._memo.outcome = _GOES_ON
        return position.seal()

    def repetitions(self) -> int:
        """How often this position has stood on the board, this time included."""
        return 1 + self.history.count(self.identity.to_bytes(8))

    def eliminate(self, seat: int, reason: Termination) -> Position:
        """The position after a seat resigned, ran out of time or left. With two players that ends the
        game; with four the turn passes on if it was that seat's. Raises `ValueError` if the seat is out
        or the game over."""
        if self.outcome is not None or seat not in self.alive:
            raise ValueError(f"seat {seat} is not in a game that goes on")
        return self.rules.referee.eliminate(self, seat, reason)

    def end_in_draw(self, termination: Termination) -> Position:
        """The position, ended as a draw by agreement or claim. Raises `ValueError` if it is over."""
        if self.outcome is not None:
            raise ValueError("the game is over")
        return self.rules.referee.draw(self, termination)


_COMPILED: Final = not isinstance(Position.play, FunctionType)
_Draft: Final = draft_class(Position, _COMPILED)
_FIELDS: Final = frozenset(field.name for field in fields(Position))

_COMPARED = (
    "rules", "_armies", "turn", "rights", "halfmove", "ply", "alive", "points", "walking", "seed", "checks", "ended",
)  # fmt: skip
"""The fields in which equal positions are equal."""

_PLAIN = (
    "turn", "rights", "halfmove", "ply", "history", "alive", "fallen", "points", "walking", "seed", "exposed",
    "cornered", "checks",
)  # fmt: skip
"""The fields that are pickled as they are."""

_Told = tuple[int, int, bool]
"""A piece, as it is pickled."""


def _told(piece: Piece) -> _Told:
    return piece.seat, int(piece.kind), piece.grey


def _piece(told: _Told) -> Piece:
    seat, kind, grey = told
    return Piece(seat, PieceKind(kind), grey)


def _restored(
    rules: Variant,
    pieces: dict[int, _Told],
    changed: dict[int, _Told | None],
    steps: list[str],
    gone: list[list[tuple[int, Termination, int | None]]],
    ended: tuple[Termination, tuple[int, ...], tuple[int, ...], tuple[int, ...] | None] | None,
    plain: dict[str, object],
) -> Position:
    """The position that has been pickled."""
    position = _Draft()
    position._open = True
    position._place(rules, {square: _piece(told) for square, told in pieces.items()})
    tables = position.tables
    position._changed = {
        square: None if told is None else tables.men_of(_piece(told))[square] for square, told in changed.items()
    }
    position.steps = tuple([tables.double_steps[tables.moves.by_text[text]] for text in steps])
    position.out, position.eliminated = [tuple([Elimination(*one) for one in some]) for some in gone]
    position.ended = None if ended is None else Outcome(*ended)
    for name, value in plain.items():
        setattr(position, name, value)
    position._memo = memo = Memo()
    memo.identity = memo.legal = memo.outcome = memo.checked = None
    return position.seal()


def _begun(rules: Variant, text: str) -> Position:
    return Position.from_setup(rules, rules.notation.read(text, rules))


@lru_cache(maxsize=64)
def _kept(rules: Variant, text: str) -> Position:
    """The same, kept: many games begin from the same position."""
    return _begun(rules, text)


_LONGEST_KEPT = 2_000
"""How long a text may be for its position to be kept, in characters."""
