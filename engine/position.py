"""Positions, and the records that define a variant.

A `Position` never changes: `play` returns the position after a move, and all other methods ask questions. `movegen`
knows how pieces move. A `Variant` holds the differences between variants: the rules as data, a `Referee`, and
notations. All of them are in this module, because positions and variants refer to each other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from types import FunctionType, MappingProxyType
from typing import Final, Protocol

from fourfold.engine import coordinates, drawing, zobrist
from fourfold.engine.board import Board, move_rook, still_open, take_off
from fourfold.engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from fourfold.engine.geometry import Geometry
from fourfold.engine.movegen import is_legal, legal_moves, safe_in_passing
from fourfold.engine.moves import Move
from fourfold.engine.outcome import Elimination, Outcome, Termination
from fourfold.engine.pieces import Piece, PieceKind
from fourfold.engine.rules import Rules
from fourfold.engine.setup import Setup, castle_of, double_step_of, faults, sound
from fourfold.engine.tables import DoubleStep, Man, tables_of
from fourfold.engine.values import draft_class, mypyc_attr

_GOES_ON = (None,)
"""The cached outcome of a position whose game is not over."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Referee(ABC):
    """Decides the consequences of a move beyond the board: the turn, eliminations, points, the end of the game.

    Write a subclass for a variant whose games end differently. `begin` and `settle` get a draft, whose fields they may
    assign until they return.
    """

    @abstractmethod
    def begin(self, position: Position) -> None:
        """Complete a draft that was set up from a FEN, FEN4 or setup."""

    @abstractmethod
    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        """Complete a draft after a move: update the points, eliminate players, pass the turn.

        `arrived` is the moved piece on its new square, and `taken` are the captured pieces. The draft's `turn` is still
        the mover's.
        """

    def moves(self, position: Position, seat: int) -> list[Move]:
        """The seat's legal moves, as if it were its turn. The engine asks only if the variant has `own_legality`."""
        return legal_moves(position, seat)

    @abstractmethod
    def checked(self, position: Position) -> tuple[int, ...]:
        """The live seats whose king is attacked."""

    @abstractmethod
    def outcome(self, position: Position) -> Outcome | None:
        """The end of the game, or None while it goes on."""

    @abstractmethod
    def claims(self, rules: Rules) -> tuple[Termination, ...]:
        """The reasons for which players of this variant can ever claim the end of a game."""

    @abstractmethod
    def may_claim(self, position: Position, seat: int) -> Termination | None:
        """The reason for which a seat can end the game now: a draw or `POINTS`. None if it has no claim."""

    def claim(self, position: Position, seat: int, termination: Termination) -> Position:
        """The position, ended by a seat's claim."""
        return self.draw(position, termination)

    @abstractmethod
    def eliminate(self, position: Position, seat: int, reason: Termination) -> Position:
        """The position after a seat resigned, lost on time or left."""

    @abstractmethod
    def draw(self, position: Position, termination: Termination) -> Position:
        """The position, ended as a draw."""


class Notation(Protocol):
    """A notation of positions: FEN or FEN4."""

    def read(self, text: str, rules: Rules) -> Setup:
        """Parse a text. Raises `InvalidNotation`."""

    def write(self, position: Position) -> str:
        """The position as text."""


class MoveNotation(Protocol):
    """A notation of moves for people: the module `san` or `lan`."""

    def read(self, position: Position, text: str) -> Move:
        """The legal move that a text names. Raises `InvalidNotation` or `IllegalMove`."""

    def write(self, position: Position, move: Move, after: Position) -> str:
        """The text of a legal move; `after` is the position after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant(Rules):
    """A variant: its `Rules`, and everything else that is specific to it.

    Make one with `dataclasses.replace` from the closest variant in `VARIANTS`:

    >>> from dataclasses import replace
    >>> from fourfold.engine import VARIANTS, Position
    >>> duel = replace(VARIANTS["ffa"], name="duel", title="Duel", promotion_depth=None)
    >>> Position.start(duel).variant
    'duel'
    """

    name: str
    """The identifier, such as ``kingofthehill``."""
    title: str
    """The name for people, such as ``King of the hill``."""
    summary: str
    """The aim of the game, in a sentence or two."""
    referee: Referee
    """Decides turns, eliminations and the end of the game."""
    notation: Notation
    """Reads and writes positions."""
    move_notation: MoveNotation
    """Reads and writes moves as people write them."""
    starts: tuple[tuple[str, str], ...]
    """The starting arrays: pairs of a name and a FEN or FEN4. Games start with the first, unless `draws_start`."""
    draws_start: bool = False
    """Whether the seed of a game chooses its array from `starts`."""
    records: str
    """The format of whole games, a key of `WRITERS`: ``pgn`` or ``pgn4``."""
    record_name: str
    """The variant's name in that format's tag `Variant`."""
    records_departures: bool = True
    """Whether game records show resignations and losses on time among the moves. Otherwise only the result does."""

    def array(self, setup: str | None = None, seed: int = 0) -> str:
        """A starting array as FEN or FEN4: the one named `setup`, or the default for the `seed`. Raises
        `InvalidNotation` (`unknown_setup`)."""
        if not setup:
            return self.starts[seed % len(self.starts) if self.draws_start else 0][1]
        for name, text in self.starts:
            if name.lower() == setup.lower():
                return text
        names = [name for name, _ in self.starts]
        shown = ", ".join(names) if len(names) < 20 else f"{names[0]} to {names[-1]}"
        raise InvalidNotation("unknown_setup", f"{self.name} has no setup '{setup}'. Setups: {shown}.")

    def move(self, text: str) -> Move:
        """The move with this text in coordinate notation, without a position: some piece of the variant can make it on
        some board. Castling is the king's two-step move. A promotion names its piece.

        Raises `InvalidNotation` with code `bad_source`, `bad_destination` or `unknown_promotion`, and `IllegalMove`
        (`cannot_move_there`) if no piece moves like this.

        >>> from fourfold.engine import VARIANTS, Position
        >>> move = VARIANTS["standard"].move("e2-e4")
        >>> move, move in Position.start().legal_moves
        (<Move e2e4>, True)
        """
        return coordinates.move(tables_of(self), text)

    def __hash__(self) -> int:
        return hash(self.name)  # equal variants have equal names

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the name, and the fields that differ from the listed variant of this name."""
        listed = rules_of(self.name)
        changes = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != getattr(listed, field.name)
        }
        return _changed, (self.name, changes)


LISTED: dict[str, Variant] = {}
"""The variants by name, in the order for menus. The module `variants` fills it."""


def rules_of(variant: str) -> Variant:
    """The variant with this name. Raises `InvalidNotation` (`unknown_variant`)."""
    rules = LISTED.get(variant)
    if rules is None:
        names = ", ".join(LISTED)
        raise InvalidNotation("unknown_variant", f"There is no variant '{variant[:32]}'. Variants: {names}.")
    return rules


def _changed(name: str, changes: dict[str, object]) -> Variant:
    return replace(rules_of(name), **changes) if changes else rules_of(name)  # type: ignore[arg-type]


@mypyc_attr(acyclic=True, free_list_len=1)
class Memo:
    """Cached answers about a position: its `identity`, the `legal` moves, the `outcome` in a tuple of one, the
    `checked` seats, and `some` legal move. Each is None until first known. The memo is the only part of a position that
    changes."""

    # Defaults of the class cost nothing in each of its instances.
    identity: int | None = None
    legal: tuple[Move, ...] | None = None
    outcome: tuple[Outcome | None] | None = None
    checked: tuple[int, ...] | None = None
    some: Move | None = None


@mypyc_attr(acyclic=True, free_list_len=1)
@dataclass(init=False, eq=False, repr=False, slots=True)
class Position(Board):
    """A position of any variant. It never changes: `start` and `from_fen` create one, and `play` returns the next.

    >>> from fourfold.engine import Position
    >>> position = Position.start().play("e4")
    >>> position.fen()
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
    >>> position.seats[position.turn], position.ply, position.halfmove
    ('black', 1, 0)

    Seats are numbers, in the order of turns; `seats` has their colours. Positions can be pickled. Assigning to a field
    raises `dataclasses.FrozenInstanceError`, an `AttributeError`.

    Two positions are equal if they have the same FEN or FEN4, counters included, and the same seed:
    `Position.from_fen(position.fen()) == position`. For two players, a double step makes a difference only if the pawn
    can be captured en passant. For four it always does, since other players may still capture it. Earlier positions
    make no difference; `repetitions` counts them.

    Fields without a description belong to the engine, like those of `Board`. Only referees assign fields, and only
    while a position is a *draft* (`Referee.begin`, `Referee.settle`, `draft`).
    """

    # `cornered`: the exposed seats whose king could not step out of check without its army. Each comes with the seat
    # whose move caused it, if known. Only variants with walking kings keep it.
    # `_before`: `_armies` before the last move or departure, for `changed`.

    rules: Variant
    """The variant."""
    halfmove: int
    """Plies since the last capture or pawn move."""
    ply: int
    """Plies played since the start of the game: one for each move of one player."""
    history: bytes
    """The hashes of earlier positions since the last irreversible move, eight bytes each."""
    alive: tuple[int, ...]
    """The seats still in the game, in the order of turns."""
    fallen: tuple[int, ...]
    """The seats that were out when the position was set up, in the order in which they went out, as far as known."""
    out: tuple[Elimination, ...]
    """All eliminations since the position was set up, in order. A lost walking king has its own entry."""
    points: tuple[int, ...] | None
    """Each seat's points so far; None unless the variant counts points. `outcome` has the final ones."""
    seed: int
    """Decides the moves of walking kings; 0 if the variant has none."""
    cornered: tuple[tuple[int, int | None], ...]
    eliminated: tuple[Elimination, ...]
    """The eliminations of the last move or departure."""
    _before: list[dict[int, Man]]
    checks: tuple[int, ...] | None
    """How many checks each seat has given; None unless the variant counts them."""
    ended: Outcome | None
    """An end that the board does not show, such as a resignation."""
    _open: bool
    _memo: Memo

    # ---- Beginnings -------------------------------------------------------------------------------

    @classmethod
    def start(
        cls, variant: str | Variant = "standard", setup: str | None = None, *, fen: str | None = None, seed: int = 0
    ) -> Position:
        """The starting position of a game.

        * `variant`: a name in `VARIANTS`, or a `Variant` of your own.
        * `setup`: the name of a starting array, such as ``classic``. The default is the variant's own.
        * `fen`: a FEN or FEN4 to start from instead.
        * `seed`: any integer. It decides the moves of walking kings, and the array in variants with random arrays.

        Raises `InvalidNotation` with code `unknown_variant`, `unknown_setup` or `invalid_fen`, and `InvalidSetup` for
        an impossible position.

        >>> from fourfold.engine import Position
        >>> Position.start("chess960", seed=518).fen()
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
        """
        rules = rules_of(variant) if isinstance(variant, str) else variant
        text = rules.array(setup, seed) if fen is None else fen
        begun = _kept(rules, text) if len(text) <= _LONGEST_KEPT else _begun(rules, text)
        return begun.replace(seed=seed) if seed and rules.dead_kings_walk else begun

    @classmethod
    def from_fen(cls, text: str, variant: str | Variant = "standard") -> Position:
        """The position of a FEN, or of a FEN4 for four players. Raises as `start` does."""
        return cls.start(variant, fen=text)

    @classmethod
    def from_setup(cls, rules: Variant, setup: Setup, seed: int = 0) -> Position:
        """The position of a `Setup`. The seed decides the moves of walking kings. Raises `InvalidSetup` with all
        faults."""
        tables = tables_of(rules)
        position = begun_draft()
        position.rules = rules
        position.place(tables, setup.standing(rules) if setup.dead else setup.pieces, setup.hands)
        position.turn = setup.turn
        position.rights = 0
        well = sound(setup, position)
        for seat, short in setup.castling:
            castle = castle_of(setup, tables, seat, short)
            if castle is None:
                well = False
            elif seat not in setup.dead:
                position.rights |= castle.bit
        position.steps = ()
        for seat, skipped in sorted(setup.en_passant.items()):
            step = double_step_of(setup, tables, seat, skipped)
            if step is None:
                well = False
            else:
                position.steps += (step,)
        wrong = () if well else tuple(faults(setup, tables))
        if wrong:
            raise InvalidSetup(wrong)
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
        position._before = position._armies
        position.checks = setup.checks
        position.ended = None
        position._memo = Memo()
        rules.referee.begin(position)
        return position.seal()

    # ---- What stands where ------------------------------------------------------------------------

    @property
    def variant(self) -> str:
        """The name of the variant."""
        return self.rules.name

    @property
    def geometry(self) -> Geometry:
        """The shape of the board: its squares and their names."""
        return self.rules.geometry

    @property
    def seats(self) -> tuple[str, ...]:
        """The colours of the seats, in the order of turns."""
        return self.tables.seats

    def piece_at(self, square_name: str) -> Piece | None:
        """The piece on a square, or None. Raises `InvalidNotation` (`bad_source`) if the board has no such square.

        >>> from fourfold.engine import Position
        >>> Position.start().piece_at("e8")
        Piece(seat=1, kind=<PieceKind.KING: 5>, grey=False)
        """
        man = self.man_at(coordinates.square(self.geometry, square_name, "bad_source"))
        return None if man is None else man.piece

    @property
    def changed(self) -> Mapping[int, Man | None]:
        """The squares that the last move or departure changed, by number, each with its piece now or None."""
        changed: dict[int, Man | None] = {}
        for before, army in zip(self._before, self._armies, strict=True):
            if army is not before:
                for square in before.keys() | army.keys():
                    if before.get(square) is not army.get(square):
                        changed[square] = self.man_at(square)
        return MappingProxyType(changed)

    def order_out(self) -> tuple[int, ...]:
        """The eliminated seats, in the order of their eliminations as far as known."""
        return tuple(dict.fromkeys((*self.fallen, *(gone.seat for gone in self.out))))

    def pieces(self) -> dict[str, Piece]:
        """All pieces on the board, by square name."""
        names = self.rules.geometry.names
        return {names[square]: man.piece for army in self._armies for square, man in army.items()}

    def material(self) -> tuple[int, ...]:
        """The material of each seat: the sum of its live pieces' values (`Rules.values`). Kings count 0.

        >>> from fourfold.engine import Position
        >>> Position.start().material()
        (39, 39)
        """
        values = self.rules.values
        return tuple(sum(values[man.kind] for man in army.values()) for army in self._armies[:-1])

    def checked(self) -> tuple[int, ...]:
        """The live seats whose king is in check."""
        memo = self._memo
        if memo.checked is None:
            memo.checked = self.rules.referee.checked(self)
        return memo.checked

    def fen(self) -> str:
        """The position as FEN for two players, as FEN4 for four."""
        return self.rules.notation.write(self)

    def attackers(self, square_name: str, seat: int | None = None) -> dict[str, Piece]:
        """The pieces that attack a square, by the names of their own squares: those of one seat, or everybody's.

        Pinned pieces count as attackers; grey pieces do not. Raises `InvalidNotation` (`bad_source`) if the board has
        no such square.

        >>> from fourfold.engine import Position
        >>> sorted(Position.start().attackers("f3"))
        ['e2', 'g1', 'g2']
        """
        tables, total = self.tables, self.total
        threats = tables.threats_on.get(square_name)
        if threats is None:
            threats = tables.threats[coordinates.square(self.geometry, square_name, "bad_source")]
        attackers: dict[str, Piece] = {}
        if seat is not None:
            found = self.forces[tables.teams[seat]] & threats.mask
            if found:
                names, army = tables.names, self._armies[seat]
                for source, between in threats.sources(found):
                    if not between or not between & total:
                        man = army.get(source)
                        if man is not None:  # a team's force has the partner's pieces too
                            attackers[names[source]] = man.piece
            return attackers
        found = total & threats.mask
        if found:
            for source, between in threats.sources(found):
                if not between or not between & total:
                    man = self.man_at(source)
                    if man is not None:
                        attackers[tables.names[source]] = man.piece
        return attackers

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return self.turn in self.checked()

    def svg(
        self,
        size: int = 400,
        *,
        orientation: int = 0,
        coordinates: bool = False,
        arrows: Iterable[str] = (),
        marks: Iterable[str] = (),
    ) -> str:
        """The board as an SVG document, `size` pixels wide. It highlights the squares that the last move changed, and
        kings in check.

        * `orientation`: the seat at the bottom.
        * `coordinates`: whether files and ranks have labels, on the outermost squares.
        * `arrows`: such as ``e2e4``, or as in PGN, with a letter for the colour: ``Ge2e4`` (green, the default), ``R``
          (red), ``Y`` (yellow), ``B`` (blue).
        * `marks`: squares with a ring, such as ``e4`` or ``Re4``.

        Raises `InvalidNotation` (`bad_arrow`, `bad_mark`).

        >>> from fourfold.engine import Position
        >>> position = Position.start()
        >>> picture = position.svg(200, orientation=1, coordinates=True, arrows=["e2e4", "Re7e5"], marks=["Yd5"])
        >>> picture.count("<text"), picture.count("<circle")
        (16, 1)
        """
        return drawing.svg(
            self, size, self.changed, [self.kings[seat] for seat in self.checked()],
            orientation=orientation, coordinates=coordinates, arrows=arrows, marks=marks,
        )  # fmt: skip

    def _repr_svg_(self) -> str:
        """The picture for notebooks."""
        return self.svg()

    def __str__(self) -> str:
        """The board as lines of text, highest rank first. For two players, White's pieces are capitals. For four, each
        piece follows the letter of its colour."""
        return drawing.text(self)

    def __repr__(self) -> str:
        seed = f" seed={self.seed}" if self.seed else ""
        return f"<Position {self.variant}{seed} {self.fen()}>"

    def __eq__(self, other: object) -> bool:
        """Whether FEN or FEN4 and seed are the same. Earlier positions make no difference."""
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
        """A 64-bit hash for repetitions. It covers pieces, turn, castling rights, and double steps that can be
        captured en passant."""
        memo = self._memo
        if memo.identity is None:
            tables, rights = self.tables, self.rights
            value = self.total >> tables.key_shift ^ tables.turn_keys[self.turn]
            if rights:
                value ^= tables.rights_key(rights)
            if self.steps:
                for step in self._steps_that_count():
                    value ^= step.key
            memo.identity = value
        return memo.identity

    def _steps_that_count(self) -> list[DoubleStep]:
        """The double steps that matter for repetitions and equality."""
        differ = self.rules.idle_steps_differ
        return [step for step in self.steps if differ or self.takes(step)]

    def takes(self, step: DoubleStep) -> bool:
        """Whether the side to move has a legal capture en passant of this double step."""
        takers = self.takers(self.turn, step)
        if not takers:
            return False
        if self._memo.legal is not None or self.rules.own_legality:
            legal = self.movable()
            return any(moves[0] in legal for _, moves in takers)
        return self.ended is None and any(safe_in_passing(self, step, moves[0]) for _, moves in takers)

    # ---- Moves ------------------------------------------------------------------------------------

    def movable(self) -> tuple[Move, ...]:
        """The legal moves of the side to move, even after a draw by the rules. Empty after any other end."""
        memo = self._memo
        if memo.legal is None:
            memo.legal = () if self.ended is not None else tuple(self.moves_of(self.turn))
        return memo.legal

    def moves_of(self, seat: int) -> list[Move]:
        """The legal moves of a seat with a king, as if it were its turn, even after the end of the game."""
        if self.rules.own_legality:
            return self.rules.referee.moves(self, seat)
        return legal_moves(self, seat)

    def can_move(self) -> bool:
        """Whether the side to move has a legal move, even after a draw by the rules."""
        return self._memo.some is not None or bool(self.movable())

    def trial(self, seat: int) -> Position:
        """A copy with this seat to move, for `Referee.moves`: it may `play` moves that turn out illegal. The positions
        after them have no true `history`, because equality of positions depends on the legal moves."""
        copy = self.draft()
        copy.turn = seat
        copy._memo.identity = 0
        return copy.seal()

    def tries(self, seat: int, moves: Iterable[Move]) -> list[tuple[Move, Position]]:
        """Moves of a seat, each with the position after it, for `Referee.moves`. The moves may turn out illegal."""
        before = self.trial(seat)
        return [(move, before.play(move)) for move in moves]

    def is_legal(self, move: Move) -> bool:
        """Whether a move is legal here. This takes less time than the list of all `legal_moves`.

        >>> from fourfold.engine import VARIANTS, Position
        >>> Position.start().is_legal(VARIANTS["standard"].move("e2e5"))
        False
        """
        memo = self._memo
        if memo.legal is not None or self.rules.own_legality:
            return move in self.legal_moves
        if self.ended is not None or not is_legal(self, move):
            return False
        memo.some = move
        return self.outcome is None

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves of the side to move, in no particular order. Empty when the game is over."""
        memo = self._memo
        if memo.outcome is _GOES_ON and memo.legal is not None:
            return memo.legal  # the cached answer
        return self.movable() if self.outcome is None else ()

    def legal_texts(self) -> list[str]:
        """The legal moves in coordinate notation, in the order of `legal_moves`."""
        return [move.text for move in self.legal_moves]

    def play(self, move: Move | str) -> Position:
        """The position after a move.

        `move` is one of the `legal_moves`, or text in any spelling that `read_move` accepts. Texts are checked, and
        raise `InvalidNotation` or `IllegalMove`. A `Move` object is not checked: make sure that it is legal here.

        >>> from fourfold.engine import Position
        >>> str(Position.start().play("e4").play("e7-e5").play("g1f3")).splitlines()[5]
        '. . . . . N . .'
        """
        if not isinstance(move, Move):
            move = self.read_move(move)
        tables = self.tables
        seat = self.turn
        source = move.source
        target = move.target
        armies = self._armies.copy()
        army = armies[seat].copy()
        armies[seat] = army
        man = army.get(source)
        if man is None:
            if move.drop is not None:
                return self._dropped(move, move.drop)
            raise self._no_move(move)
        del army[source]
        forces = list(self.forces)
        total = self.total
        rights = self.rights
        steps = self.steps
        kings = self.kings
        hands = self.hands
        takes = self.sides[target]
        sides = bytearray(self.sides)
        sides[source] = 0
        arrived = man.kin[target]
        taken: tuple[Man, ...] = ()
        step = None
        if man.pawn:
            if move.promotion is not None:
                arrived = tables.promoted[seat][move.promotion][target]
            for passed in steps:
                if passed.skipped == target:
                    takes = 1
            step = tables.double_steps.get(move)
        elif man.king:
            castle = self.castle_of(move) if rights else None
            if castle is not None:
                takes = 0
                target = castle.target
                arrived = man.kin[target]
                total ^= move_rook(castle.rook, army, forces, sides)
            squares = list(kings)
            squares[seat] = target
            kings = tuple(squares)
        if takes:
            taken = self.taken(man, move)
            total ^= take_off(taken, armies, forces, sides)
        sides[target] = man.side
        army[target] = arrived
        change = man.mark ^ arrived.mark
        forces[man.team] ^= change

        after = Position() if _COMPILED else _Draft()  # compiled code calls a named class fastest
        if _COMPILED:
            after._open = True
        after.rules = self.rules
        after.tables = tables
        after._armies = armies
        after.forces = tuple(forces)
        after.total = total ^ change
        after.sides = b"" + sides  # the fastest way from a bytearray
        after.kings = kings
        after.rights = rights and rights & tables.kept_rights[source] & tables.kept_rights[target]
        if steps:
            steps = still_open(steps, seat, taken)
        after.steps = steps if step is None else (*steps, step)
        if taken or man.pawn:
            after.halfmove = 0
            # With drops, a position can recur after captures.
            after.history = self.history + self.identity.to_bytes(8, "big") if hands else b""
        else:
            after.halfmove = self.halfmove + 1
            known = self._memo.identity
            if known is not None:
                identity = known
            elif self.steps:
                identity = self.identity
            else:  # the same as the property, which takes longer
                identity = self.total >> tables.key_shift ^ tables.turn_keys[seat]
                if rights:
                    identity ^= tables.rights_key(rights)
            after.history = self.history + identity.to_bytes(8, "big")
        after.ply = self.ply + 1
        after.alive = self.alive
        after.fallen = self.fallen
        after.out = self.out
        after.points = self.points
        after.walking = self.walking
        after.hands = hands
        after.seed = self.seed
        after.exposed = ()
        after.cornered = self.cornered
        after.eliminated = ()
        after._before = self._armies
        after.checks = self.checks
        after.ended = None
        after._memo = Memo()
        self.rules.referee.settle(after, arrived, taken)
        if _COMPILED:
            after._open = False
        else:
            after.__class__ = Position
        return after

    def _dropped(self, move: Move, kind: PieceKind) -> Position:
        """The position after a drop."""
        seat = self.turn
        if not self.hands or not self.hands[seat][kind]:
            raise self._no_move(move)
        after = self.draft()
        arrived = self.tables.men[seat][kind][move.target]
        after.give(seat, kind, -1)
        after.put(arrived)
        after.steps = tuple([step for step in self.steps if step.seat != seat])
        after.halfmove = self.halfmove + 1
        after.history = self.history + self.identity.to_bytes(8, "big")
        after.ply = self.ply + 1
        after.exposed = ()
        after.eliminated = ()
        self.rules.referee.settle(after, arrived, ())
        return after.seal()

    @property
    def walk(self) -> Move | None:
        """The move that a walking king makes now; None on a player's turn and after the end.

        Where the rules have walking kings, the king of a player who resigned makes a random move at each of its turns.
        Play this move. It depends only on the position and its `seed`, so every replay gives the same one.
        """
        if self.turn not in self.walking or self.outcome is not None:
            return None
        moves = sorted(self.legal_moves, key=lambda move: move.text)
        return moves[zobrist.key(self.seed, self.ply) % len(moves)]

    def replace(self, **changes: object) -> Position:
        """A copy with some fields changed and no cached answers, for referees. Raises `TypeError` for unknown field
        names."""
        draft = self.draft()
        for name, value in changes.items():
            if name not in _FIELDS:
                raise TypeError(f"a Position has no field '{name}'")
            setattr(draft, name, value)
        return draft.seal()

    def draft(self) -> Position:
        """A copy whose fields can be assigned until you call `seal`, for referees."""
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
        copy.hands = self.hands
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
        copy._before = self._armies
        copy.checks = self.checks
        copy.ended = self.ended
        copy._memo = Memo()
        return copy

    def seal(self) -> Position:
        """Make a draft immutable, and return it."""
        if _COMPILED:
            self._open = False
        else:
            self.__class__ = Position
        return self

    def null_move(self) -> Position:
        """The position after a null move, which passes the turn, as in analyses for two players.

        Raises `IllegalMove` with code `game_over` or `king_in_check`, and `ValueError` with more than two players.

        >>> from fourfold.engine import Position
        >>> Position.start().null_move().fen()
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1'
        """
        if len(self.kings) != 2:
            raise ValueError("Only games for two players have null moves.")
        if self.outcome is not None:
            raise IllegalMove("game_over", "The game is over: no more moves can be made.")
        if self.checked():
            raise IllegalMove("king_in_check", "A null move cannot be made in check.")
        # Earlier positions do not count as repetitions, and no pawn can be captured en passant.
        return self.replace(
            turn=1 - self.turn, ply=self.ply + 1, halfmove=self.halfmove + 1, steps=(), history=b"", eliminated=()
        )

    def find(self, text: str) -> Move:
        """The legal move that a text in coordinate notation names: ``e2e4``, ``e2-e4``, ``E2E4``, ``e7e8q``,
        ``e7e8=Q``. Castling is the king's two-step move, or king takes rook.

        Raises `InvalidNotation` with code `bad_source`, `bad_destination` or `unknown_promotion`, and
        `IllegalMove` with `game_over`, `no_piece`, `not_your_piece`, `own_piece`, `promotion_missing`,
        `king_in_check` or `cannot_move_there`.
        """
        move = self.tables.moves.by_text.get(text)
        if move is not None and self.is_legal(move):
            return move
        return coordinates.read(self, text, self.legal_moves, self.outcome is not None)

    def read_move(self, text: str) -> Move:
        """The legal move that a text names, in any spelling: coordinate notation as in `find`, SAN for two players,
        long algebraic notation for four. Raises `InvalidNotation` or `IllegalMove`, or `TypeError` if it is not a text.

        >>> from fourfold.engine import Position
        >>> Position.start().read_move("Nf3")
        <Move g1f3>
        """
        if not isinstance(text, str):
            raise TypeError(f"Give a move as text such as 'e2e4', or as one of `legal_moves`, not {text!r}.")
        return self.rules.move_notation.read(self, text)

    def san(self, move: Move | str, after: Position | None = None) -> str:
        """A legal move in SAN (Standard Algebraic Notation) for two players, in long algebraic notation for four.

        `after` is the position after the move; pass it if you have it, to save time. Raises as `read_move` does for a
        text.

        >>> from fourfold.engine import Position
        >>> Position.start().san("g1f3"), Position.start("ffa").san("h2h4")
        ('Nf3', 'h2-h4')
        """
        if not isinstance(move, Move):
            move = self.read_move(move)
        return self.rules.move_notation.write(self, move, after or self.play(move))

    def _no_move(self, move: Move) -> IllegalMove:
        """The error for a move from a square where the side to move has no piece."""
        whose = self.rules.seats[self.turn].called
        return IllegalMove(
            "no_piece", f"{move!r} is not legal here: {whose} has no piece there. Choose from `legal_moves`."
        )

    # ---- The end ----------------------------------------------------------------------------------

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game, or None while it goes on."""
        memo = self._memo
        if memo.outcome is None:
            outcome = self.ended or self.rules.referee.outcome(self)
            memo.outcome = _GOES_ON if outcome is None else (outcome,)
        return memo.outcome[0]

    def may_claim(self, seat: int) -> Termination | None:
        """The reason for which a seat can end the game now, or None.

        The side to move can claim a draw (`FIFTY_MOVES` or `THREEFOLD`). Where points count, the leader of the last two
        players can end a won game (`POINTS`) at any time.
        """
        return None if self.outcome is not None else self.rules.referee.may_claim(self, seat)

    def claim(self, seat: int) -> Position:
        """The position after a seat's claim, with its `outcome`. The board does not change, and nobody is eliminated.
        Raises `ValueError` if the seat has no claim."""
        termination = self.may_claim(seat)
        if termination is None:
            raise ValueError(f"seat {seat} has nothing to claim")
        return self.rules.referee.claim(self, seat, termination)

    def past_draw(self) -> Position:
        """The position without its automatic draw, so that the game can go on.

        Parsers use it for games from other servers, where the same position was not a draw. Automatic draws are those
        by insufficient material, lack of progress and repetition. Repetitions count from here again. Returns the
        position itself if it has no such draw.
        """
        if self.outcome is None or self.ended is not None or not self.movable():
            return self
        position = self.draft()
        position.history = b""  # otherwise it would grow with every move without progress
        position._memo.outcome = _GOES_ON
        return position.seal()

    def repetitions(self) -> int:
        """How often this position has occurred, this time included."""
        return 1 + self.history.count(self.identity.to_bytes(8, "big"))

    def eliminate(self, seat: int, reason: Termination) -> Position:
        """The position after a seat resigned, ran out of time or left.

        With two players this ends the game. With four, the others play on, and the turn passes if it was that seat's.
        Raises `ValueError` if the seat is out already or the game is over.

        >>> from fourfold.engine import Position, Termination
        >>> Position.start().eliminate(1, Termination.RESIGNATION).outcome.winners
        (0,)
        """
        if self.outcome is not None or seat not in self.alive:
            raise ValueError(f"seat {seat} is not in a game that goes on")
        return self.rules.referee.eliminate(self, seat, reason)

    def end_in_draw(self, termination: Termination) -> Position:
        """The position, ended as a draw for the given reason. Raises `ValueError` if the game is over."""
        if self.outcome is not None:
            raise ValueError("the game is over")
        return self.rules.referee.draw(self, termination)


_COMPILED: Final = not isinstance(Position.play, FunctionType)
_Draft: Final = draft_class(Position, _COMPILED)
_FIELDS: Final = frozenset(field.name for field in fields(Position))

_COMPARED = (
    "rules", "_armies", "turn", "rights", "halfmove", "ply", "alive", "points", "walking", "seed", "checks", "ended",
    "hands",
)  # fmt: skip
"""The fields that `==` compares."""

def begun_draft() -> Position:
    """A draft without any field, for code that assigns them all."""
    draft = _Draft()
    draft._open = True
    return draft


def _begun(rules: Variant, text: str) -> Position:
    return Position.from_setup(rules, rules.notation.read(text, rules))


@lru_cache(maxsize=64)
def _kept(rules: Variant, text: str) -> Position:
    """The same, cached: many games start from the same position."""
    return _begun(rules, text)


_LONGEST_KEPT = 2_000
"""The longest FEN whose position is cached, in characters."""
