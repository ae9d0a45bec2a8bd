"""The view of a board: its side, its moment, and the piece whose moves it shows."""

from collections.abc import Mapping

from fourfold.clients.games.game import Game
from fourfold.clients.games.review import Review
from fourfold.clients.terminal.text.orientation import Orientation
from fourfold.clients.terminal.text.view import View
from fourfold.engine.position import Position


class Look:
    """The view of a board. `bottom` is the seat at the bottom (None: the default). `asked` is the square of the piece
    whose moves are shown. `ply` is the past moment in view (None: the present)."""

    def __init__(self) -> None:
        self.bottom: str | None = None
        self.asked: str | None = None
        self.ply: int | None = None
        self.marks: tuple[int, Mapping[int, str]] = 0, {}
        """The number of a reviewed game, with the marks of its moves by ply."""
        self._review: tuple[int, Review] | None = None  # and the version of the reviewed game

    def orientation(self, game: Game) -> str | None:
        """The seat at the bottom: the chosen one, or else the first that is played from here. None: the first seat."""
        return self.bottom or next(iter(game.seats), None)

    async def review(self, game: Game) -> Review:
        """The game to look back at, as it was when looking back began."""
        if self._review is None or (self.ply is None and self._review[0] != game.table.seq):
            self._review = (game.table.seq, Review(await game.record()))
        return self._review[1]

    def position(self, game: Game) -> Position:
        if self.ply is None or self._review is None:
            return game.table.position
        return self._review[1].position(self.ply)

    def view(self, game: Game) -> View:
        """The view of a game."""
        table = game.table
        orientation = Orientation.of(table.position, self.orientation(game))
        if self.ply is not None and self._review is not None:
            last = self._review[1].last(self.ply)
            return View.of(self.position(game), orientation, last=last, ply=self.ply)
        last = table.moves[-1] if table.moves else None
        view = View.of(table.position, orientation, last=last, brackets=table.status == "playing")
        return view.asking(table.position, self.asked)

    def live(self) -> None:
        """Show the present position."""
        self.ply = self._review = self.asked = None
