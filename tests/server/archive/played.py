"""Logs of whole games, in the store's form."""

import random
from collections.abc import Sequence
from itertools import zip_longest

from fourfold.engine.decisions import Decision
from fourfold.engine.match import State, Status, decide, evolve
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Archive, Command, Create, Move, Resign, Sit
from fourfold.server.archive.database import Database
from fourfold.server.archive.facts import fold
from fourfold.server.storage.records import BEGINNING, Entry, descend, pack, seal

START = 1_700_000_000_000


class Game:
    """A match and its log, a second between two decisions."""

    def __init__(
        self,
        create: Create,
        players: Sequence[str],
        *,
        sealed: bool = True,
        start: int = START,
        marks: Sequence[str] = (),
    ) -> None:
        self.state: State | None = None
        self.decisions: list[Decision] = []
        self.entries: list[Entry] = []
        self._sealed = sealed
        self._start = start
        self._lineage = BEGINNING
        self.do(create, players[0])
        for player, mark in zip_longest(players, marks, fillvalue=""):
            self.do(Sit(player.title(), mark=mark), player)

    def do(self, command: Command, by: str) -> None:
        """Run a command."""
        at = self._start + 1000 * len(self.decisions)
        events = decide(self.state, command, by, at)
        assert isinstance(events, tuple), events
        seq, key = len(self.decisions) + 1, f"key{len(self.decisions)}"
        packed = pack(by, key, events)
        self._lineage = descend(self._lineage, packed)
        decision = Decision(seq, at, by, key, events, self._lineage)
        self.state = evolve(self.state, decision)
        self.decisions.append(decision)
        self.entries.append(Entry(seq, at, packed, seal(self._lineage, packed) if self._sealed else None))

    def move(self, text: str) -> None:
        """Make a move for the player to move."""
        assert self.state is not None
        player = self.state.seats[self.state.position.turn].player
        assert player is not None
        self.do(Move(text, self.state.seq), player)

    def play(self, seed: int, plies: int) -> None:
        """Make random moves until the game is over or has `plies` of them."""
        chance = random.Random(seed)
        while self.state is not None and self.state.status is Status.PLAYING and self.state.ply < plies:
            self.move(chance.choice(self.state.position.legal_texts()))

    def archive(self) -> None:
        """End the finished match for good."""
        assert self.state is not None
        self.do(Archive(self.state.seq), "")


def mate(room: int = 0, *, archived: bool = True, **terms: object) -> Game:
    """Black mates in two moves. Each `room` has a different game."""
    game = Game(Create("standard", seed=room + 1, **terms), ["ann", "bob"])  # type: ignore[arg-type]
    for text in ("f2f3", "e7e5", "g2g4", "d8h4"):
        game.move(text)
    if archived:
        game.archive()
    return game


def of_four(seed: int = 1, *, archived: bool = True) -> Game:
    """A timed four-player game: two players resign after some moves, and another one after that."""
    game = Game(Create("ffa", control=Control(60_000, 0, 5_000), seed=seed), ["ann", "bob", "cat", "dan"])
    game.play(seed, 40)
    for player in ("bob", "dan", "ann"):
        if game.state is not None and game.state.status is Status.PLAYING:
            game.do(Resign(), player)
    if archived:
        game.archive()
    return game


async def archived(database: Database, room: str, game: Game) -> None:
    """Store a log and list its games."""
    await database.keep(room, game.entries, 0)
    _, games = await fold(room, game.decisions)
    await database.list_games(games)
