"""An open study, with the user's place in it: the chapter, the move, and its board."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from fourfold.clients.errors import ConnectionFault, RequestError
from fourfold.clients.games.open_study import OpenStudy, StudyNews
from fourfold.clients.study_state import Chapter, Study
from fourfold.clients.terminal.controller.look import Look
from fourfold.clients.terminal.parser.commands import Unclear
from fourfold.clients.terminal.text import studies
from fourfold.clients.terminal.text import tree as texts
from fourfold.clients.terminal.text.orientation import Orientation
from fourfold.clients.terminal.text.view import View
from fourfold.engine.position import Position
from fourfold.engine.variants import opening
from fourfold.protocol.events import Named
from fourfold.protocol.from_server import Update
from fourfold.protocol.studies import NodePosition


class Reading:
    """A place in a study. `chapter` and `node` are numbers; in a study without chapters, `chapter` is 0. `look` is the
    view of its board."""

    def __init__(self, open: OpenStudy, look: Look) -> None:
        self.open = open
        self.look = look
        self.chapter = 0
        self.node = 0
        self._at: tuple[NodePosition, Position] | None = None
        self._path: list[int] = []  # the moves before the current one, in case it is removed
        self._standing: asyncio.Task[None] | None = None

    @property
    def study(self) -> Study:
        return self.open.study

    def tree(self) -> Chapter:
        """The current chapter. Raises `Unclear` if there is none."""
        found = self.study.chapter(self.chapter)
        if found is None:
            raise Unclear("This study has no chapters. 'add new' makes one.")
        return found

    @property
    def at(self) -> NodePosition:
        """The current board, from the server. Raises `Unclear` if there is none."""
        self.tree()
        assert self._at is not None  # there is a chapter
        return self._at[0]

    @property
    def position(self) -> Position:
        """The current board as a position, in which a draw has not ended the game. Raises `Unclear` if there is
        none."""
        self.tree()
        assert self._at is not None  # there is a chapter
        return self._at[1]

    async def begin(self) -> None:
        """Go to the start of the first chapter."""
        if self.study.chapters:
            await self.go(self.study.chapters[0].number, 0)

    async def go(self, chapter: int, node: int) -> None:
        """Go to a move. Raises `Unclear` if it no longer exists."""
        found = await self.open.position(chapter, node)
        tree = self.study.chapter(chapter)
        if found is None or tree is None or node not in tree.nodes:
            raise Unclear("There is no such move; perhaps somebody has just removed it.")
        position = opening(tree.variant, position=found.position).past_draw()
        below = tree.tags.get("Orientation", "").lower()
        if chapter != self.chapter and below in tree.seats:
            self.look.bottom = below
        self.chapter, self.node, self.look.asked = chapter, node, None
        self._at, self._path = (found, position), [0, *tree.path(node)]
        if self._standing is None or self._standing.done():
            self._standing = asyncio.create_task(self._stand(), name="stand")

    async def _stand(self) -> None:
        """Report the user's place to the others, until the latest place has been reported."""
        told = None
        with suppress(RequestError, ConnectionFault):  # errors do not matter; the next step reports again
            while told != (told := (self.chapter, self.node)):
                await self.open.stand(*told)

    async def stay(self) -> None:
        """Stay at the current move. If others have removed it, go to the last remaining move before it."""
        tree = self.study.chapter(self.chapter)
        with suppress(Unclear, RequestError):  # removed by now: its news comes next
            if tree is None:
                self.chapter = self.node = 0
                await self.begin()
            elif self.node not in tree.nodes:
                await self.go(self.chapter, next(one for one in reversed(self._path) if one in tree.nodes))

    def heard(self, news: StudyNews) -> list[str]:
        """Take in news. Return the changes by others, as sentences."""
        said = []
        if isinstance(news, Update) and isinstance(news.by, str) and news.by != self.open.player:
            named = {one.player: one.name for one in news.events if isinstance(one, Named)}
            name = named.get(news.by) or self.study.name(news.by)
            said = [line for one in news.events if (line := studies.event(self.study, one, name)) is not None]
        self.open.take(news)
        return said

    # -- what is shown ------------------------------------------------------------------------------

    @property
    def prompt(self) -> str:
        """The prompt: "Study, 2...Nc6, white to move: "."""
        tree = self.study.chapter(self.chapter)
        if tree is None or self.node not in tree.nodes or self._at is None:
            return "Study: "
        turn = self._at[0].turn
        return f"Study, {texts.move(tree, self.node)}, {f'{turn} to move' if turn else 'the end'}: "

    def view(self) -> View | None:
        """The view of the board; None without a chapter."""
        tree = self.study.chapter(self.chapter)
        if tree is None or self._at is None:
            return None
        position = self._at[1]
        node = tree.nodes.get(self.node)
        last = node.move if node is not None and node.move[1:2].isdecimal() else None
        bottom = self.look.bottom if self.look.bottom in position.seats else None
        view = View.of(position, Orientation.of(position, bottom), last=last, brackets=self._at[0].turn is not None)
        return view.asking(position, self.look.asked)

    def said(self) -> list[str]:
        """The current place, in sentences."""
        tree = self.study.chapter(self.chapter)
        if tree is None or self.node not in tree.nodes:
            return []
        return studies.place(self.study, tree, self.node, self.at)

    def lines(self, width: int) -> list[texts.Line]:
        """The moves of the chapter, in lines of `width` columns, with the places of other readers."""
        here: dict[int, list[str]] = {}
        for cursor in self.study.cursors:
            if cursor.player != self.open.player and cursor.chapter == self.chapter and cursor.node is not None:
                here.setdefault(cursor.node, []).append(cursor.name)
        return texts.lines(self.tree(), self.study.names, width, here)

    def step(self, to: str, by: int) -> int:
        """The target of a step: `back`, `forward`, `first`, `last` or `ply`. Raises `Unclear`."""
        tree = self.tree()
        path: Sequence[int] = [0, *tree.path(self.node), *tree.line(self.node)]
        here = path.index(self.node)
        place = {"first": 0, "back": here - by, "forward": here + by, "ply": by, "last": len(path) - 1}[to]
        if to == "forward" and here == len(path) - 1:
            raise Unclear("The line ends here. Type a move to extend it.")
        return path[min(max(place, 0), len(path) - 1)]

    async def leave(self) -> None:
        """Leave the study."""
        if self._standing is not None:
            self._standing.cancel()
        with suppress(ConnectionFault, RequestError):
            await self.open.leave()
